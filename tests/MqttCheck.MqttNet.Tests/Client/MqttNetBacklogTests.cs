using MqttCheck.MqttNet.Client;

namespace MqttCheck.MqttNet.Tests.Client;

public sealed class MqttNetBacklogTests
{
    private const int MessageBytes = 1 << 20;

    // No time passes between the messages, so that none has waited for long yet.
    [Test]
    public async Task A_burst_counts_at_once_but_for_4_MiB_and_what_was_sent_counts_no_more()
    {
        var backlog = new MqttNetBacklog();
        var sent = new TaskCompletionSource();
        Task[] watched = [.. Enumerable.Range(0, 10).Select(_ => backlog.WatchAsync(sent.Task, MessageBytes))];
        Assert.That(backlog.Bytes, Is.AtLeast(6 * MessageBytes));
        sent.SetResult();
        await Task.WhenAll(watched);
        Assert.That(backlog.Bytes, Is.Zero);
    }

    [Test]
    public void A_message_that_waits_for_long_counts_whole()
    {
        var backlog = new MqttNetBacklog();
        _ = backlog.WatchAsync(new TaskCompletionSource().Task, 10);
        Assert.That(() => backlog.Bytes, Is.EqualTo(10).After(60).Seconds.PollEvery(5).MilliSeconds);
    }
}
