using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Profiles;

namespace MqttCheck.Tests.Latency;

public sealed class FeatureFoldTests
{
    [TestCase(1, 0)]
    [TestCase(50, 0)]
    [TestCase(800, 0)]
    [TestCase(800, 9)]
    public void Recent_activity_is_that_of_one_client_and_where_it_is_low_the_more_the_more_clients_there_are(int clients, int reconnects)
    {
        var fold = new FeatureFold(clients, 1);
        // Everybody connects, one after the other, within the last 40 ms, some of them again and again.
        for (var client = 0; client < clients; client++)
        {
            for (var connect = 0; connect <= reconnects; connect++)
            {
                fold.Start(client, Connect, 10);
                fold.End(client, Connect, 0, success: true, 10);
            }
        }
        using (Assert.EnterMultipleScope())
        {
            Assert.That(fold.Start(0, Disconnect, 49.9).RecentActivity, Is.EqualTo(Activity(clients * (reconnects + 1), clients - 1)).Within(1e-9).Percent, "a client that leaves does not count");
            fold.End(0, Disconnect, 0, success: true, 49.9);
            Assert.That(fold.Start(0, Connect, 50).RecentActivity, Is.EqualTo(Activity(1, clients - 1)).Within(1e-9).Percent, "the disconnect");
        }

        // With 800 clients, twice the activity of one where that is low, and hardly more than it where it is high.
        static double Activity(int completions, int online) =>
            online == 0 ? 0 : completions / (double)online * (1 + (Math.Pow(online / 50.0, 0.25) - 1) / (1 + Math.Pow(completions / (double)online, 2)));
    }

    private static ClientAction Connect => new(MessageKind.Connect, -1, 0, ExchangePhase.Counted, Clean: false);

    private static ClientAction Disconnect => new(MessageKind.Disconnect, -1, 0, ExchangePhase.Counted, Clean: false);
}
