using System.Text.Json;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Json;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>The settings of a transport.</summary>
internal static class TransportReader
{
    /// <summary>The names of the designs.</summary>
    public static readonly string[] Designs = ["4.18", "4.17", "separate-acknowledgements", "unbounded-queue"];

    private static readonly JsonKind<string> s_design = JsonKinds.Choice([.. Designs.Select(name => (name, name))]);

    private static readonly JsonKind<TransportBurst> s_burst = JsonFormat.Of<TransportBurst>(fields =>
    {
        var burst = new TransportBurst(
            fields.Required("messagesPerSecond", JsonKinds.Number(0.001, 1e7), of => of.MessagesPerSecond),
            fields.Required("fromSeconds", JsonKinds.Number(0, 86_400), of => of.FromSeconds),
            fields.Required("untilSeconds", JsonKinds.Number(0, 86_400), of => of.UntilSeconds)
        );
        fields.Refuse(
            burst.UntilSeconds <= burst.FromSeconds,
            () => "the burst ends before it begins; allowed: untilSeconds above fromSeconds"
        );
        return burst;
    });

    /// <summary>Reads them; the usual ones for a missing key.</summary>
    /// <param name="tree">The member; null if there is none.</param>
    /// <param name="isHop">Whether the transport is the hop of another protocol, which names the design.</param>
    /// <param name="findings">The receiver of findings.</param>
    public static TransportSettings Read(JsonTree? tree, bool isHop, JsonFindings findings)
    {
        foreach (var key in (ReadOnlySpan<string>)["design", "burst"])
            if (isHop && tree?.Member(key) is { } given)
                findings.Add(
                    given,
                    $"{key} is for the system 'transport'; allowed: a hop that names the design, \"transport-4.17\" or "
                        + "\"transport-4.18\""
                );
        return tree is null ? new() : Kind(isHop).Read(tree, findings);
    }

    /// <summary>Writes the settings of a topology with a transport, as the member <c>transport</c>.</summary>
    /// <param name="writer">The writer, within the object of a topology.</param>
    /// <param name="topology">The topology.</param>
    public static void Write(Utf8JsonWriter writer, Topology topology)
    {
        if (!topology.HasTransport)
            return;
        writer.WritePropertyName("transport");
        Kind(topology.System != ClusterSystem.Transport).Write(writer, topology.Transport);
    }

    // A burst is part of the load, of which nodes know nothing.
    private static JsonKind<TransportSettings> Kind(bool isHop) =>
        JsonFormat.Of<TransportSettings>(fields =>
            new()
            {
                Design = fields.Optional(
                    "design",
                    s_design,
                    of => isHop ? Designs[0] : of.Design,
                    Designs[0],
                    always: !isHop
                ),
                SendsPerSecond = fields.Optional(
                    "sendsPerSecond",
                    JsonKinds.Number(1, 1e6),
                    of => of.SendsPerSecond,
                    2000,
                    always: true
                ),
                ReceivesPerSecond = fields.Optional(
                    "receivesPerSecond",
                    JsonKinds.Number(1, 1e6),
                    of => of.ReceivesPerSecond,
                    1800,
                    always: true
                ),
                SendQueue = fields.Optional("sendQueue", Queue, of => of.SendQueue, 200, always: true),
                ReceiveQueue = fields.Optional("receiveQueue", Queue, of => of.ReceiveQueue, 200, always: true),
                Shed = fields.Optional("shed", Queue, of => of.Shed, 400, always: true),
                RetransmissionMilliseconds = fields.Optional(
                    "retransmissionMilliseconds",
                    JsonKinds.Number(1, 60_000),
                    of => of.RetransmissionMilliseconds,
                    500,
                    always: true
                ),
                Burst = fields.Nullable("burst", s_burst, _ => null),
            }
        );

    private static JsonKind<int> Queue { get; } = JsonKinds.Integer(1, 1_000_000);
}
