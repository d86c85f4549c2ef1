using System.Globalization;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics;

namespace MqttCheck.Conformance.Generation;

/// <summary>
/// Scenarios whose size matters, each larger than a generated one: a connection that lives long, many subscriptions of
/// one session, more messages in a session than there are packet identifiers, many packets in one piece. A few at a
/// time run beside the others.
/// </summary>
/// <param name="versions">The protocol versions to choose from.</param>
/// <param name="seed">The seed.</param>
internal sealed class ScaleScenarios(ValueList<ProtocolVersion> versions, ulong seed)
{
    /// <summary>How many subscriptions a session gets.</summary>
    public const int Subscriptions = 300;

    /// <summary>How many packets come in one piece.</summary>
    public const int Packets = 100;

    /// <summary>How many messages a session gets; packet identifiers begin again behind 65 535.</summary>
    public const int Messages = 66_000;

    // So many filters are in one SUBSCRIBE.
    private const int FiltersAtOnce = 30;

    private const int Publications = 12;

    // A client that is silent for as long as the others wait stays connected.
    private const ushort KeepAliveSeconds = 15;
    private const int WaitMilliseconds = 10_000;

    // A connection that lives shorter than this is none of scale.
    private const int LeastRounds = 2,
        MostRounds = 6;

    // A shorter check would end before the messages have come, and nobody would judge them.
    private static readonly TimeSpan s_leastForMessages = TimeSpan.FromSeconds(45);

    /// <summary>The next scenario: first the two that last, then the others in turn.</summary>
    /// <param name="number">Its number.</param>
    /// <param name="left">How long it may last.</param>
    public Scenario Next(ulong number, TimeSpan left)
    {
        var random = RandomStream.For(seed, number, 3);
        // A broker of MQTT 5 may take few messages at a time, so that many take long.
        var version =
            number == 0 && versions.Contains(ProtocolVersion.V311)
                ? ProtocolVersion.V311
                : versions[random.NextInt(versions.Count)];
        var rounds = (int)Math.Min(MostRounds, left.TotalMilliseconds / WaitMilliseconds);
        Step[] steps =
            number == 0 && left >= s_leastForMessages ? ManyMessages()
            : number == 1 && rounds >= LeastRounds ? LongLived(rounds, ref random)
            : number % 2 == 0 ? ManyPackets(ref random)
            : ManySubscriptions(ref random);
        return new Scenario(version, [.. steps]);
    }

    private static Step[] LongLived(int rounds, ref RandomStream random)
    {
        List<Step> steps =
        [
            new(0, new ConnectCommand(true) { KeepAliveSeconds = KeepAliveSeconds }),
            new(1, new ConnectCommand(true) { KeepAliveSeconds = KeepAliveSeconds }),
            new(0, new SubscribeCommand([new SubscriptionRequest("~/a", QualityOfService.ExactlyOnce)])),
        ];
        for (var round = 0; round < rounds; round++)
        {
            steps.Add(new Step(0, new WaitCommand(WaitMilliseconds)));
            steps.Add(new Step(0, new PingCommand()));
            steps.Add(new Step(1, new PublishCommand("~/a", (QualityOfService)random.NextInt(3))));
        }
        return [.. steps];
    }

    private static Step[] ManySubscriptions(ref RandomStream random)
    {
        List<Step> steps = [new(0, new ConnectCommand(true)), new(1, new ConnectCommand(true))];
        for (var first = 0; first < Subscriptions; first += FiltersAtOnce)
        {
            var requests = new List<SubscriptionRequest>();
            for (var place = first; place < first + FiltersAtOnce; place++)
                requests.Add(new SubscriptionRequest(Topic(place), (QualityOfService)(1 + random.NextInt(2))));
            steps.Add(new Step(0, new SubscribeCommand([.. requests])));
        }
        for (var i = 0; i < Publications; i++)
        {
            // The last subscriptions are as good as the first.
            var place = i % 2 == 0 ? Subscriptions - 1 - random.NextInt(20) : random.NextInt(Subscriptions);
            steps.Add(new Step(1, new PublishCommand(Topic(place), (QualityOfService)(1 + random.NextInt(2)))));
        }
        return [.. steps];
    }

    private static Step[] ManyMessages() =>
        [
            new(0, new ConnectCommand(true)),
            new(0, new SubscribeCommand([new SubscriptionRequest("~/a", QualityOfService.AtLeastOnce)])),
            new(1, new ConnectCommand(true)),
            new(1, new PublishCommand("~/a", QualityOfService.AtLeastOnce) { Times = Messages }),
        ];

    private static Step[] ManyPackets(ref RandomStream random)
    {
        List<Step> steps =
        [
            new(0, new ConnectCommand(true)),
            new(0, new SubscribeCommand([new SubscriptionRequest("~/a", QualityOfService.ExactlyOnce)])),
        ];
        for (var packet = 0; packet < Packets; packet++)
        {
            Command command =
                random.NextInt(4) == 0
                    ? new PingCommand()
                    : new PublishCommand("~/a", (QualityOfService)random.NextInt(3));
            steps.Add(new Step(0, command with { WithNext = packet + 1 < Packets }));
        }
        return [.. steps];
    }

    private static string Topic(int place) => string.Create(CultureInfo.InvariantCulture, $"~/n{place}");
}
