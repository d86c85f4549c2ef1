using System.Text.Json;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Json;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>Reads the settings of a transport.</summary>
internal static class TransportReader
{
    /// <summary>The names of the designs.</summary>
    public static readonly string[] Designs = ["4.18", "4.17", "separate-acknowledgements", "unbounded-queue"];

    /// <summary>Reads them; the usual ones for a missing key.</summary>
    /// <param name="tree">The member; null if there is none.</param>
    /// <param name="isHop">Whether the transport is the hop of another protocol, which names the design.</param>
    /// <param name="findings">The receiver of findings.</param>
    public static TransportSettings Read(JsonTree? tree, bool isHop, JsonFindings findings)
    {
        if (tree is null)
            return new TransportSettings();
        foreach (var key in (ReadOnlySpan<string>)["design", "burst"])
            if (isHop && tree.Member(key) is { } given)
                findings.Add(
                    given,
                    $"{key} is for the system 'transport'; allowed: a hop that names the design, \"transport-4.17\" or "
                        + "\"transport-4.18\""
                );
        var reader = new JsonObjectReader(tree, findings);
        var settings = new TransportSettings
        {
            Design = Designs[ScenarioReader.Choice(reader.Optional("design"), findings, Designs)],
            SendsPerSecond = reader.Number("sendsPerSecond", 1, 1e6, 2000),
            ReceivesPerSecond = reader.Number("receivesPerSecond", 1, 1e6, 1800),
            SendQueue = reader.Integer("sendQueue", 1, 1_000_000, 200),
            ReceiveQueue = reader.Integer("receiveQueue", 1, 1_000_000, 200),
            Shed = reader.Integer("shed", 1, 1_000_000, 400),
            RetransmissionMilliseconds = reader.Number("retransmissionMilliseconds", 1, 60_000, 500),
            Burst = Burst(reader.Optional("burst"), findings),
        };
        reader.End();
        return settings;
    }

    /// <summary>Writes the settings of a topology with a transport, as the member <c>transport</c>.</summary>
    /// <param name="writer">The writer, within the object of a topology.</param>
    /// <param name="topology">The topology.</param>
    public static void Write(Utf8JsonWriter writer, Topology topology)
    {
        if (!topology.HasTransport)
            return;
        var settings = topology.Transport;
        writer.WriteStartObject("transport");
        if (topology.System == ClusterSystem.Transport)
            writer.WriteString("design", settings.Design);
        writer.WriteNumber("sendsPerSecond", settings.SendsPerSecond);
        writer.WriteNumber("receivesPerSecond", settings.ReceivesPerSecond);
        writer.WriteNumber("sendQueue", settings.SendQueue);
        writer.WriteNumber("receiveQueue", settings.ReceiveQueue);
        writer.WriteNumber("shed", settings.Shed);
        writer.WriteNumber("retransmissionMilliseconds", settings.RetransmissionMilliseconds);
        writer.WriteEndObject();
    }

    private static TransportBurst? Burst(JsonTree? tree, JsonFindings findings)
    {
        if (tree is null)
            return null;
        var reader = new JsonObjectReader(tree, findings);
        var burst = new TransportBurst(
            reader.Number("messagesPerSecond", 0.001, 1e7, null),
            reader.Number("fromSeconds", 0, 86_400, null),
            reader.Number("untilSeconds", 0, 86_400, null)
        );
        reader.End();
        if (burst.UntilSeconds <= burst.FromSeconds)
            findings.Add(tree, "the burst ends before it begins; allowed: untilSeconds above fromSeconds");
        return burst;
    }
}
