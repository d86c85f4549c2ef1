using System.Globalization;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Captures.Tests.Logs;

/// <summary>
/// A model of a capture has the law by which the broker of the capture took its time. Seed 55. With so many
/// publications a correct model is off by .05 with a probability below 1e-6.
/// </summary>
[TestFixture]
internal sealed class KnownLawTests
{
    private const double Seconds = 600;
    private const double Largest = .05;
    private static readonly LogNormalLaw s_service = new(4, .6);

    [Category("Whole")]
    [TestCase(60, 2, Description = "all connections of ten minutes")]
    [TestCase(10, 1, Description = "one connection in a hundred of a thousand")]
    public void The_law_of_the_broker_is_found_from_ten_minutes(int clients, double waitSeconds)
    {
        var turned = Turned.Of(Traffic(clients, waitSeconds).PcapNg());

        var (distance, blocks) = LawDistance.Of(turned.Log, s_service);

        TestContext.Out.WriteLine(
            FormattableString.Invariant($"{turned.Exchanges.Count} exchanges, KS {distance:0.000}")
        );
        Assert.That(distance, Is.LessThanOrEqualTo(Largest));
        // The broker is the same at all times, and the blocks say so.
        Assert.That(blocks, Is.LessThan(Largest));
    }

    // Each client publishes after random waits, and is answered after a time of the law.
    private static WireTraffic Traffic(int clients, double waitSeconds)
    {
        var random = RandomStream.For(55, (ulong)clients);
        var (traffic, talk) = (new WireTraffic(), new Talk());
        var events = new List<(double Seconds, int Client, int Id, bool IsAnswer)>();
        TalkConnection[] connections =
        [
            .. Enumerable.Range(0, clients).Select(i => traffic.Connection(50_000 + i).Open()),
        ];
        for (var client = 0; client < clients; client++)
        {
            connections[client].Send(true, talk.Connect($"client-{client}")).Send(false, talk.Connack());
            var id = 1;
            for (var at = Wait(ref random); at < Seconds; at += Wait(ref random))
            {
                var answered = at + s_service.Draw(ref random) / 1000;
                events.Add((at, client, id, false));
                events.Add((answered, client, id++, true));
                at = answered;
            }
        }
        foreach (var one in events.OrderBy(one => one.Seconds))
        {
            traffic.Wait(Math.Max(0, (long)(one.Seconds * 1e6) - (traffic.Now - WireTraffic.Start) / 1000));
            var text = one.Id.ToString(CultureInfo.InvariantCulture);
            connections[one.Client]
                .Send(
                    !one.IsAnswer,
                    one.IsAnswer ? talk.Puback(one.Id) : talk.Publish($"plant/{one.Client}", text, 1, one.Id)
                );
        }
        return traffic;

        double Wait(ref RandomStream stream) => 2 * waitSeconds * stream.NextDouble();
    }
}
