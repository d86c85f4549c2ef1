using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Broker.Core;
using MqttCheck.Broker.Faults;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Broker;

/// <summary>Laws of the broker under arbitrary interleavings of what three clients do.</summary>
public sealed class InterleavingTests
{
    private const int Clients = 3,
        Kinds = 12,
        Qualities = 3;

    [Test]
    public void Nothing_is_lost_reordered_or_at_QoS_2_duplicated_and_nothing_is_left_behind(
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version
    ) =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(400).WithEndSize(300).WithReplay(20260101, 7),
            Prop.ForAll(ArbMap.Default.ArbFor<int[]>(), script => Play(script, version, FaultPlan.None))
        );

    [Test]
    public void The_law_notices_a_broker_that_breaks_it(
        [Values("lose:0.05", "duplicate:0.05", "reorder:0.05", "stale-session:0.5")] string faults
    ) =>
        Assert.That(
            () =>
                Check.One(
                    Config.QuickThrowOnFailure.WithMaxTest(400).WithEndSize(300).WithReplay(20260101, 7),
                    Prop.ForAll(
                        ArbMap.Default.ArbFor<int[]>(),
                        script => Play(script, ProtocolVersion.V311, FaultPlan.Parse(faults, "test"))
                    )
                ),
            Throws.Exception
        );

    [Test]
    public void The_same_inputs_at_the_same_times_give_the_same_outputs(
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version
    ) =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(100).WithEndSize(300).WithReplay(20260102, 7),
            Prop.ForAll(
                ArbMap.Default.ArbFor<int[]>(),
                script =>
                {
                    var options = new BrokerOptions
                    {
                        Faults = FaultPlan.Parse("lose:0.1,reorder:0.1,lose-qos0:0.1,refuse:0", "test"),
                        Seed = 5,
                    };
                    var (first, second) = (Run(script, version, options).Bench, Run(script, version, options).Bench);
                    Assert.That(first.Outputs, Is.EqualTo(second.Outputs));
                }
            )
        );

    private static void Play(int[] script, ProtocolVersion version, FaultPlan faults)
    {
        var options = new BrokerOptions
        {
            Limits = new BrokerLimits { InFlightPerClient = 3 },
            Faults = faults,
        };
        var (bench, clients, published) = Run(script, version, options);
        var witness = clients[0];
        foreach (var client in clients)
            client.Connect(clean: false);
        bool busy;
        do
        {
            busy = false;
            foreach (var client in clients)
                busy |= client.Receive() | client.Answer();
        } while (busy);

        // The witness was subscribed to everything at QoS 2 all the time.
        var delivered = witness.Delivered.Select(p => p.Payload.ToText()).ToHashSet();
        Assert.That(
            published.Where(p => p.Qos > 0).Select(p => p.Payload).Where(payload => !delivered.Contains(payload)),
            Is.Empty,
            "lost"
        );
        foreach (var client in clients)
            AssertOrder(client.Delivered);

        foreach (var client in clients)
        {
            client.Lose();
            client.Connect(clean: true);
        }
        Assert.That(bench.Core.Counters.Subscriptions, Is.Zero);
        foreach (var client in clients)
            client.Disconnect();
        Assert.That((bench.Core.Counters.Sessions, bench.Core.NextDue), Is.EqualTo((0, long.MaxValue)));
    }

    // A payload is publisher:topic:qos:number. At QoS 1 repetitions are legal, so only the first delivery of each
    // counts.
    private static void AssertOrder(List<PublishPacket> delivered)
    {
        foreach (var stream in delivered.GroupBy(p => p.Payload.ToText()[..p.Payload.ToText().LastIndexOf(':')]))
        {
            var numbers = stream.Select(p => int.Parse(p.Payload.ToText()[(stream.Key.Length + 1)..])).ToArray();
            var atLeastOnce = stream.Key.EndsWith(":1", StringComparison.Ordinal);
            Assert.That(atLeastOnce ? numbers.Distinct() : numbers, Is.Ordered.Ascending.And.Unique, stream.Key);
        }
    }

    private static (BrokerBench Bench, InterleavingClient[] Clients, List<(string Payload, int Qos)> Published) Run(
        int[] script,
        ProtocolVersion version,
        BrokerOptions options
    )
    {
        var bench = new BrokerBench(options);
        var clients = Enumerable
            .Range(0, Clients)
            .Select(i => new InterleavingClient(bench, version, $"client{i}"))
            .ToArray();
        foreach (var client in clients)
            client.Connect(clean: false);
        clients[0].Subscribe("#", 2);
        var published = new List<(string, int)>();
        foreach (var step in script)
        {
            var number = (int)((uint)Math.Abs((long)step) % (Kinds * Clients * Qualities));
            var (kind, who, qos) = (number / (Clients * Qualities), number / Qualities % Clients, number % Qualities);
            var client = clients[who];
            var topic = qos == 0 ? "t" : $"t/{published.Count % 2}";
            switch (kind)
            {
                case 0 or 1 or 2 or 3 or 4 when client.IsConnected:
                    var payload = $"{who}:{topic}:{qos}:{published.Count}";
                    published.Add((payload, qos));
                    client.Publish(topic, payload, qos);
                    break;
                case 5 or 6:
                    client.Receive();
                    break;
                case 7:
                    client.Answer();
                    break;
                case 8:
                    client.Lose();
                    break;
                case 9:
                    // A clean start drops what is under way to the client, so the witness never does it.
                    client.Connect(clean: who != 0 && qos == 0);
                    break;
                case 10 when who != 0:
                    if (qos == 0)
                        client.Unsubscribe("t/0");
                    else
                        client.Subscribe(qos == 1 ? "t/0" : "#", qos);
                    break;
                case 11:
                    bench.Pass(0.5);
                    break;
            }
        }
        return (bench, clients, published);
    }
}
