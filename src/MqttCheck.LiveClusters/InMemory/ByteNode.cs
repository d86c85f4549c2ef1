using MqttCheck.Brokers.Wire;
using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.Clusters.Events;
using MqttCheck.LiveClusters.Nodes;

namespace MqttCheck.LiveClusters.InMemory;

/// <summary>A node in memory, whose events the run takes.</summary>
/// <param name="wire">Its process.</param>
/// <param name="options">Which node.</param>
/// <param name="core">Makes its protocol.</param>
/// <param name="run">Takes its events.</param>
internal sealed class ByteNode(
    IWire wire,
    NodeOptions options,
    Func<int, IReadOnlyList<int>, IClusterOutput, IClusterCore> core,
    ByteRun run
) : NodeHost(wire, options, core)
{
    private readonly int _node = options.Node;

    public override void Note(in ClusterNote note) => run.Note(_node, note);

    public override void Passed(ClusterEventKind kind, int peer, in RoutedMessage message)
    {
        if (kind != ClusterEventKind.Published)
            run.Pass(kind, _node, peer, message);
    }
}
