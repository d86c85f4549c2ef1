using System.Text.Json;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Json;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>The settings of a transport.</summary>
internal static class TransportFormat
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

    /// <summary>The settings of a transport. A burst is part of the load, of which nodes know nothing.</summary>
    /// <param name="isHop">Whether the transport is the hop of another system, which names its design.</param>
    public static JsonKind<TransportSettings> Kind(bool isHop) =>
        JsonFormat.Of<TransportSettings>(fields =>
        {
            foreach (var key in (ReadOnlySpan<string>)["design", "burst"])
                fields.Refuse(
                    key,
                    isHop,
                    _ =>
                        $"{key} is for the system 'transport'; allowed: a hop that names the design, "
                        + "\"transport-4.17\" or \"transport-4.18\""
                );
            return new()
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
            };
        });

    private static JsonKind<int> Queue { get; } = JsonKinds.Integer(1, 1_000_000);
}
