using System.Buffers.Binary;
using MqttCheck.Clusters.Properties;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.LiveClusters.Tests.Plants;

/// <summary>Something that a proxy does wrong once in a run, and the invariants that must name it.</summary>
/// <param name="Name">The plant in words.</param>
/// <param name="Expected">The violated invariants; none for what no standard forbids.</param>
internal sealed record Plant(string Name, params string[] Expected)
{
    private int _seen;
    private int _connacks;
    private bool _isDone;

    /// <summary>A proxy that passes everything on.</summary>
    public static Plant Clean { get; } = new("clean");

    /// <summary>All plants, each in a new state.</summary>
    public static IReadOnlyList<Plant> All =>
        [
            new("clean"),
            Up("lost upward behind its acknowledgement", message => message.Answer(), "delivery"),
            Down("lost downward", message => message.Answer(), "delivery"),
            Down("repeated at QoS 2", Repeat(PacketType.Pubrec), "delivery") with
            {
                Qos = QualityOfService.ExactlyOnce,
            },
            Down("late", Late, "order"),
            Down("cut", message => message.Pass(message.With(payload: message.Payload[..^20])), "content", "delivery"),
            Down("emptied", message => message.Pass(message.With(payload: [])), "content", "delivery"),
            Down("on another topic", message => message.Pass(message.With("elsewhere/t")), "content", "delivery"),
            Down("with bytes turned over", Turned(50), "content"),
            Down("with QoS 0 instead of 1", message => message.Replace(QualityOfService.AtMostOnce), "qos"),
            Down("with RETAIN set", message => message.Pass(message.With(isRetained: true)), "retain"),
            Down("reordered", (message, state) => state.HoldFor(message, isSameTopic: true), "order"),
            Down("repeated at QoS 1", Repeat(PacketType.Puback)),
            // Not of the list that the checkers began with.
            Up("lost upward without an acknowledgement", _ => { }),
            Up(
                "with QoS 0 instead of 1 from its publisher",
                message => message.Replace(QualityOfService.AtMostOnce),
                "qos"
            ),
            Up("emptied from its publisher", message => message.Pass(message.With(payload: [])), "content", "delivery"),
            Up("on another topic from its publisher", message => message.Pass(message.With("elsewhere/t")), "delivery"),
            Up("with bytes turned over from its publisher", Turned(50), "content"),
            Up("with RETAIN set from its publisher", message => message.Pass(message.With(isRetained: true))),
            Up("reordered from its publisher", (message, state) => state.HoldFor(message, isSameTopic: true), "order"),
            Down("with QoS 2 instead of 1", message => message.Replace(QualityOfService.ExactlyOnce), "qos"),
            Down("with DUP set", message => message.Pass(message.With(isRepeat: true)), "dup"),
            Down("repeated with DUP at QoS 1", Repeat(PacketType.Puback, isRepeat: true)),
            Down(
                "repeated at QoS 0",
                message =>
                {
                    message.Pass();
                    message.Pass();
                },
                "delivery"
            ) with
            {
                Qos = QualityOfService.AtMostOnce,
            },
            Down(
                "with a byte too many",
                message => message.Pass(message.With(payload: [.. message.Payload, 0])),
                "content",
                "delivery"
            ),
            Down(
                "with its last byte missing",
                message => message.Pass(message.With(payload: message.Payload[..^1])),
                "content",
                "delivery"
            ),
            Down("with its number turned over", Turned(3), "content", "delivery"),
            Down("to a client that did not subscribe", ToAnother, "addressee"),
            Down(
                "in exchange for another topic",
                (message, state) => state.HoldFor(message, isSameTopic: false, isExchanged: true),
                "content"
            ) with
            {
                // Two messages with one number are no loss, and two others are.
                Possible = ["delivery"],
                Repeats = null,
                Shape = WorkloadShape.FanIn,
            },
            Down(
                "behind a later one of another publisher",
                (message, state) => state.HoldFor(message, isSameTopic: false)
            ) with
            {
                Shape = WorkloadShape.FanIn,
            },
            Up("sent again because PUBREC was lost", Republish) with
            {
                Qos = QualityOfService.ExactlyOnce,
                // A broker may hand it on when it is released, which on a busy machine may be behind the next message.
                Possible = ["order"],
            },
            new("granted with QoS 0 and delivered with QoS 1", "qos") { OnSuback = true },
            Retained("retained and given without RETAIN", message => message.Pass(message.With(isRetained: false))),
            Retained("retained and forgotten", message => message.Answer()),
            Retained("retained and replaced by an older one", Older),
            new("a session out of nowhere", "session") { OnConnack = 1 },
            // Its client connects again: at QoS 1, what it had not acknowledged by then comes once more.
            new("a session that is denied", "session") { OnConnack = 2, Repeats = null },
        ];

    /// <summary>Which message it hits: some pass before and after it.</summary>
    public int Place { get; init; } = 10;

    /// <summary>Whether it looks at messages; where a fault is to come first, only then.</summary>
    public bool IsArmed { get; set; } = true;

    /// <summary>The QoS of the load.</summary>
    public QualityOfService Qos { get; init; } = QualityOfService.AtLeastOnce;

    /// <summary>The shape of the load.</summary>
    public WorkloadShape Shape { get; init; } = WorkloadShape.Pairs;

    /// <summary>How many deliveries are repeats; null where that depends on what is under way.</summary>
    public int? Repeats { get; init; } = Name.StartsWith("repeated", StringComparison.Ordinal) ? 1 : 0;

    /// <summary>Invariants that may be violated too, as it happens.</summary>
    public IReadOnlyList<string> Possible { get; init; } = [];

    private bool IsDown { get; init; }

    private Action<PlantedMessage, Plant>? Act { get; init; }

    /// <summary>Whether it concerns retained messages, and not those of the load.</summary>
    public bool IsOfRetained { get; private init; }

    private bool OnSuback { get; init; }

    /// <summary>Whether it needs the clients of a load, which end a connection that is wrong.</summary>
    public bool IsOfConnections => OnConnack > 0;

    /// <summary>Whether a client with a session leaves and comes back.</summary>
    public bool HasReturn => OnConnack == 2;

    // The first answer to a client invents a session, and the second one denies it.
    private int OnConnack { get; init; }

    private bool IsExchanged { get; set; }

    private bool IsSameTopic { get; set; }

    /// <summary>The plants that a load without sessions and retained messages shows, each in a new state.</summary>
    public static IEnumerable<Plant> OfMessages =>
        All.Where(plant => plant is { IsOfRetained: false, IsOfConnections: false });

    /// <summary>
    /// The invariants of a run that are not fulfilled. The monitor of deliveries judges what is away from faults; near
    /// them the fates of acknowledged messages count.
    /// </summary>
    public static IReadOnlySet<string> Seen(ClusterOutcome outcome)
    {
        var seen = outcome.Violations.Select(one => one.Invariant).ToHashSet();
        var isRepeated =
            outcome.ByQos.Any(level => level is { Qos: 2, Repeated: > 0 })
            || outcome is { ByQos.Count: 0, Duplicates: > 0 };
        if (outcome.Lost > 0 || isRepeated)
            seen.Add("delivery");
        return seen;
    }

    /// <summary>Whether it takes a packet, and sends it on itself or not at all.</summary>
    public bool Takes(PlantLine line, bool isDown, PacketType type, byte[] packet)
    {
        if (OnSuback && type == PacketType.Suback && !_isDone && line.ClientId.EndsWith("s1", StringComparison.Ordinal))
            return Change(line, packet, packet.Length - 1, 0);
        if (
            type == PacketType.Connack
            && line.ClientId.EndsWith("s1", StringComparison.Ordinal)
            && ++_connacks == OnConnack
        )
            return Change(line, packet, 2, (byte)(OnConnack == 1 ? 1 : 0));
        if (!IsArmed || Act is null || isDown != IsDown || PlantedMessage.Of(line, isDown, packet) is not { } message)
            return false;
        if (message.IsOfProbes)
            return TakesRetained(message);
        if (IsOfRetained)
            return false;
        if (line.Held is { } held && held.Topic == message.Topic == IsSameTopic)
        {
            line.Held = null;
            message.Pass(IsExchanged ? message.With(held.Topic) : null);
            held.Pass(IsExchanged ? held.With(message.Topic) : null);
            return true;
        }
        if (_isDone || ++_seen < Place)
            return false;
        _isDone = true;
        Act(message, this);
        return true;
    }

    private void HoldFor(PlantedMessage message, bool isSameTopic, bool isExchanged = false) =>
        (message.Line.Held, IsSameTopic, IsExchanged) = (message, isSameTopic, isExchanged);

    private bool Change(PlantLine line, byte[] packet, int at, byte value)
    {
        _isDone = true;
        packet[at] = value;
        line.Send(isDown: true, packet);
        return true;
    }

    private static Plant Down(string name, Action<PlantedMessage> act, params string[] expected) =>
        Down(name, (message, _) => act(message), expected);

    private static Plant Down(string name, Action<PlantedMessage, Plant> act, params string[] expected) =>
        new(name, expected) { IsDown = true, Act = act };

    private static Plant Up(string name, Action<PlantedMessage> act, params string[] expected) =>
        Up(name, (message, _) => act(message), expected);

    private static Plant Up(string name, Action<PlantedMessage, Plant> act, params string[] expected) =>
        new(name, expected) { Act = act };

    private static Plant Retained(string name, Action<PlantedMessage> act) =>
        Down(name, act, "retained") with
        {
            IsOfRetained = true,
        };

    // The first one that a node gives of the topics of all nodes.
    private bool TakesRetained(PlantedMessage message)
    {
        if (!IsOfRetained || !message.IsRetained || _isDone)
            return false;
        _isDone = true;
        Act!(message, this);
        return true;
    }

    private static void Older(PlantedMessage message)
    {
        var payload = message.Payload.ToArray();
        BinaryPrimitives.WriteInt64BigEndian(payload, BinaryPrimitives.ReadInt64BigEndian(payload) - 1);
        message.Pass(message.With(payload: payload, isRetained: true));
    }

    private static Action<PlantedMessage> Repeat(PacketType answer, bool isRepeat = false) =>
        message =>
        {
            message.PassUnanswered(message.Packet, answer, message.Id);
            message.Pass(message.With(isRepeat: isRepeat));
        };

    private static Action<PlantedMessage> Turned(int at) =>
        message =>
        {
            var payload = message.Payload.ToArray();
            payload[at] ^= 0x55;
            message.Pass(message.With(payload: payload));
        };

    private static void Late(PlantedMessage message) => message.Line.Later(() => message.Pass());

    private static void ToAnother(PlantedMessage message)
    {
        message.Pass();
        // Lines of earlier runs have ended, and so have those before a fault.
        var run = message.Line.ClientId[..^1];
        var other = message.Line.Others.Last(line =>
            line.ClientId != message.Line.ClientId && line.ClientId.StartsWith(run, StringComparison.Ordinal)
        );
        other.Send(isDown: true, message.With(qos: QualityOfService.AtMostOnce));
    }

    private static void Republish(PlantedMessage message)
    {
        message.Line.Take(isDown: true, PacketType.Pubrec, message.Id, _ => message.Pass(message.With(isRepeat: true)));
        message.Pass();
    }

    public override string ToString() => Name;
}
