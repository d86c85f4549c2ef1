using MqttCheck.Broker.Core;
using MqttCheck.Broker.Faults;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Checking;

/// <summary>A broker that is right although it is small or unusual.</summary>
/// <param name="Name">How it is.</param>
internal sealed record LegalVariant(string Name)
{
    private const BrokerHabits AllHabits =
        BrokerHabits.OneCopyEach
        | BrokerHabits.ScatteredIdentifiers
        | BrokerHabits.LowerGrant
        | BrokerHabits.EndsUntold
        | BrokerHabits.LateDeliveries
        | BrokerHabits.LateAnswers;

    // One packet in a thousand is answered by the end of its connection, and DISCONNECT may be that packet.
    private const string RandomEnds = "disconnect:0.001";

    /// <summary>Limits that it announces. Only MQTT 5 tells clients of them.</summary>
    public BrokerLimits? Limits { get; init; }

    /// <summary>Freedoms that it takes.</summary>
    public BrokerHabits Habits { get; init; }

    /// <summary>Faults that are legal.</summary>
    public string Faults { get; init; } = "none";

    /// <summary>The versions that it is right in.</summary>
    public ProtocolVersion[] Versions =>
        Limits is null ? [ProtocolVersion.V311, ProtocolVersion.V5] : [ProtocolVersion.V5];

    /// <summary>All of them.</summary>
    public static IReadOnlyList<LegalVariant> All { get; } =
    [
        Of("Maximum QoS 1", new BrokerLimits { MaximumQos = QualityOfService.AtLeastOnce }),
        Of("Maximum QoS 0", new BrokerLimits { MaximumQos = QualityOfService.AtMostOnce }),
        Of("nothing retained", new BrokerLimits { RetainedMessages = 0 }),
        Of("no wildcards", new BrokerLimits { WildcardSubscriptions = false }),
        Of("no subscription identifiers", new BrokerLimits { SubscriptionIdentifiers = false }),
        Of("no shared subscriptions", new BrokerLimits { SharedSubscriptions = false }),
        Of("one message in flight", new BrokerLimits { InFlightPerClient = 1 }),
        Of("Receive Maximum 1", new BrokerLimits { ReceiveMaximum = 1 }),
        Of("no topic alias", new BrokerLimits { TopicAliasMaximum = 0 }),
        Of("small packets", new BrokerLimits { PacketBytes = 512 }),
        Of("sessions of a second", new BrokerLimits { SessionExpirySeconds = 1 }),
        With("one copy for each filter", BrokerHabits.OneCopyEach),
        With("identifiers all over their range", BrokerHabits.ScatteredIdentifiers),
        With("QoS 2 granted as 1", BrokerHabits.LowerGrant),
        With("ends untold", BrokerHabits.EndsUntold),
        With("deliveries behind QoS 0", BrokerHabits.LateDeliveries),
        With("late acknowledgements", BrokerHabits.LateAnswers),
        With("all habits", AllHabits),
        With("connections that end at random", BrokerHabits.ClosesBeforeDisconnect) with
        {
            Faults = RandomEnds,
        },
        Of(
            "the smallest",
            new BrokerLimits
            {
                MaximumQos = QualityOfService.AtLeastOnce,
                RetainedMessages = 0,
                WildcardSubscriptions = false,
                SubscriptionIdentifiers = false,
                SharedSubscriptions = false,
                InFlightPerClient = 1,
                ReceiveMaximum = 1,
                TopicAliasMaximum = 0,
                PacketBytes = 512,
                SessionExpirySeconds = 1,
            }
        ) with
        {
            Habits = AllHabits,
        },
    ];

    /// <inheritdoc/>
    public override string ToString() => Name;

    private static LegalVariant Of(string name, BrokerLimits limits) => new(name) { Limits = limits };

    private static LegalVariant With(string name, BrokerHabits habits) => new(name) { Habits = habits };
}
