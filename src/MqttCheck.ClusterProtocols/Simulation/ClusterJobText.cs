using System.Globalization;
using System.Text.Json;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Json;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>
/// The text from which another process simulates the same cluster: a topology file, and beside it the numbers that a
/// file says with few digits.
/// </summary>
internal static class ClusterJobText
{
    /// <summary>The text of a job.</summary>
    /// <param name="topology">A topology that can be simulated.</param>
    /// <param name="probes">Whether there are probes.</param>
    /// <param name="seed">The seed.</param>
    /// <param name="pairs">Whether deliveries are told apart by their places.</param>
    /// <param name="isChecked">Whether monitors judge each replication.</param>
    public static byte[] Write(Topology topology, bool probes, ulong seed, bool pairs, bool isChecked) =>
        JsonText.Of(writer =>
        {
            writer.WriteStartObject();
            writer.WriteString("seed", seed.ToString(CultureInfo.InvariantCulture));
            writer.WriteBoolean("probes", probes);
            writer.WriteBoolean("pairs", pairs);
            writer.WriteBoolean("checks", isChecked);
            writer.WriteNumber("keepAliveSeconds", topology.KeepAliveSeconds);
            writer.WriteStartArray("bitsPerSecond");
            foreach (var link in topology.Links)
                writer.WriteNumberValue(link.BitsPerSecond ?? 0);
            writer.WriteEndArray();
            // A text inside a text: the reader of topologies says in which line it finds fault.
            writer.WriteString("topology", JsonText.Of(inner => WriteTopology(inner, topology)));
            writer.WriteEndObject();
        });

    /// <summary>Reads the text of a job.</summary>
    /// <exception cref="InputException">It is malformed.</exception>
    public static (Topology Topology, bool Probes, ulong Seed, bool Pairs, bool IsChecked) Read(
        ReadOnlySpan<byte> utf8Json,
        string source
    )
    {
        var findings = new JsonFindings(source);
        var reader = new JsonObjectReader(JsonTree.Parse(utf8Json, source), findings);
        var seed = reader.Text("seed", null);
        var probes = reader.Flag("probes");
        var pairs = reader.Flag("pairs");
        var isChecked = reader.Flag("checks");
        var keepAlive = reader.Number("keepAliveSeconds", 0, double.MaxValue);
        var rates = reader
            .Array("bitsPerSecond", "an array of rates")
            .Select(rate => JsonObjectReader.Number(rate, 0, double.MaxValue, findings))
            .ToList();
        var text = reader.Text("topology", null);
        reader.End();
        findings.ThrowIfAny();
        var topology = TopologyFile.Parse(System.Text.Encoding.UTF8.GetBytes(text), source);
        return (
            topology with
            {
                KeepAliveSeconds = keepAlive,
                Links =
                [
                    .. topology.Links.Zip(rates, (link, rate) => link with { BitsPerSecond = rate > 0 ? rate : null }),
                ],
            },
            probes,
            ulong.Parse(seed, CultureInfo.InvariantCulture),
            pairs,
            isChecked
        );
    }

    private static void WriteTopology(Utf8JsonWriter writer, Topology topology)
    {
        writer.WriteStartObject();
        writer.WriteString("name", topology.Name);
        writer.WriteString("description", topology.Description);
        writer.WriteString("system", topology.System.Name());
        writer.WriteString("rules", TopologyReader.Rules[(int)topology.Rules]);
        writer.WriteString("hop", TopologyReader.Hops[(int)topology.Hop]);
        writer.WriteBoolean("ids", topology.HasIds);
        OverlayReader.Write(writer, topology);
        TransportReader.Write(writer, topology);
        TopologyWriter.WriteNodes(writer, topology);
        TopologyWriter.WriteLinks(writer, topology, hasRates: false);
        writer.WriteStartArray("sites");
        foreach (var site in topology.Sites)
        {
            writer.WriteStartObject();
            writer.WriteString("name", site.Name);
            writer.WriteString("at", topology.Nodes[site.Node].Name);
            writer.WriteString("delay", $"{site.DelayMilliseconds}");
            writer.WriteNumber("publishers", site.Publishers);
            writer.WriteNumber("subscribers", site.Subscribers);
            writer.WriteEndObject();
        }
        writer.WriteEndArray();
        WriteScenario(writer, topology.Scenario);
        writer.WriteEndObject();
    }

    private static void WriteScenario(Utf8JsonWriter writer, ClusterScenario scenario)
    {
        if (scenario.Workload is { } workload)
        {
            writer.WritePropertyName("workload");
            WorkloadFormat.Kind.Write(writer, workload);
        }
        if (scenario.Duration is { } duration)
            writer.WriteNumber("durationSeconds", WorkloadFile.Seconds(duration));
        writer.WriteNumber("settleSeconds", WorkloadFile.Seconds(scenario.Settle));
        writer.WriteString("return", scenario.Return == ClientReturn.Next ? "next" : "same");
        writer.WriteStartArray("faults");
        foreach (var fault in scenario.Faults)
            writer.WriteStringValue($"{fault}");
        writer.WriteEndArray();
    }
}
