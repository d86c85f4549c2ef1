using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Profiles;

namespace MqttCheck.Tests.Latency;

public sealed class FeatureFoldTests
{
    [TestCase(1)]
    [TestCase(50)]
    [TestCase(800)]
    public void Recent_activity_is_that_of_one_client_times_the_fourth_root_of_how_many_there_are(int clients)
    {
        var fold = new FeatureFold(clients, 1);
        // Everybody connects, one after the other, within the last 40 ms.
        for (var client = 0; client < clients; client++)
        {
            fold.Start(client, Connect, 10);
            fold.End(client, Connect, 0, success: true, 10);
        }
        using (Assert.EnterMultipleScope())
        {
            Assert.That(fold.Start(0, Disconnect, 49.9).RecentActivity, Is.EqualTo(Scaled(clients, clients - 1)).Within(1e-9).Percent, "a client that leaves does not count");
            fold.End(0, Disconnect, 0, success: true, 49.9);
            Assert.That(fold.Start(0, Connect, 50).RecentActivity, Is.EqualTo(Scaled(1, clients - 1)).Within(1e-9).Percent, "the disconnect");
        }

        static double Scaled(int completions, int online) => online == 0 ? 0 : completions / (double)online * Math.Pow(online / 50.0, 0.25);
    }

    private static ClientAction Connect => new(MessageKind.Connect, -1, 0, ExchangePhase.Counted, Clean: false);

    private static ClientAction Disconnect => new(MessageKind.Disconnect, -1, 0, ExchangePhase.Counted, Clean: false);
}
