using System.Text.Json;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>
/// Writes what a node has to know of its cluster: system, rules, nodes and links, in the form that
/// <see cref="TopologyFile"/> reads. Clients, load and faults are left out.
/// </summary>
internal static class TopologyWriter
{
    /// <summary>A cluster of MqttCheck's own nodes as JSON.</summary>
    /// <param name="topology">The cluster.</param>
    public static byte[] Write(Topology topology)
    {
        ArgumentNullException.ThrowIfNull(topology);
        using var stream = new MemoryStream();
        using (var json = new Utf8JsonWriter(stream, new JsonWriterOptions { Indented = true }))
        {
            json.WriteStartObject();
            json.WriteString("name", topology.Name);
            json.WriteString("system", topology.System.Name());
            json.WriteString("rules", TopologyReader.Rules[(int)topology.Rules]);
            json.WriteString("hop", TopologyReader.Hops[(int)topology.Hop]);
            json.WriteNumber("keepAliveSeconds", topology.KeepAliveSeconds);
            json.WriteBoolean("ids", topology.HasIds);
            OverlayReader.Write(json, topology);
            TransportReader.Write(json, topology);
            PipelineReader.Write(json, topology);
            WriteNodes(json, topology);
            WriteLinks(json, topology, hasRates: true);
            json.WriteEndObject();
        }
        return stream.ToArray();
    }

    /// <summary>Writes the nodes as the member <c>nodes</c>.</summary>
    internal static void WriteNodes(Utf8JsonWriter json, Topology topology)
    {
        json.WriteStartArray("nodes");
        foreach (var node in topology.Nodes)
        {
            json.WriteStartObject();
            json.WriteString("name", node.Name);
            json.WriteNumber("capability", node.Capability);
            if (node.Kind != NodeKind.Broker)
                json.WriteString("kind", TopologyReader.Kinds[(int)node.Kind]);
            if (node.ServiceMilliseconds is { } service)
                json.WriteString("service", service.ToString());
            json.WriteEndObject();
        }
        json.WriteEndArray();
    }

    /// <summary>Writes the links as the member <c>links</c>, with or without their rates.</summary>
    internal static void WriteLinks(Utf8JsonWriter json, Topology topology, bool hasRates)
    {
        json.WriteStartArray("links");
        foreach (var link in topology.Links)
        {
            json.WriteStartObject();
            json.WriteStartArray("between");
            json.WriteStringValue(topology.Nodes[link.From].Name);
            json.WriteStringValue(topology.Nodes[link.To].Name);
            json.WriteEndArray();
            json.WriteString("delay", link.DelayMilliseconds.ToString());
            if (hasRates && link.BitsPerSecond is { } rate)
                json.WriteString("rate", RateText.Of(rate));
            json.WriteNumber("loss", link.Loss);
            json.WriteEndObject();
        }
        json.WriteEndArray();
    }
}
