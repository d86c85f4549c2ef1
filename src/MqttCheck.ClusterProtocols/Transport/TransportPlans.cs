using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>Turns a topology of the system <c>transport</c> into what is simulated.</summary>
internal static class TransportPlans
{
    private const long UsualHopNanoseconds = 500_000;

    /// <summary>The setup of one run; its load is to be set.</summary>
    /// <param name="topology">Nodes that are all linked to each other.</param>
    /// <param name="faults">The faults of the run.</param>
    /// <exception cref="InputException">Links are missing, or a fault is none that a transport knows.</exception>
    public static TransportSetup Of(Topology topology, IEnumerable<ScheduledFault> faults)
    {
        ThrowIfNotMeshed(topology);
        var delay = topology.Links.Max(link => link.DelayMilliseconds.Mean);
        return new TransportSetup
        {
            Design = DesignOf(topology),
            Load = new TransportLoad(),
            Nodes = topology.Nodes.Count,
            HopNanoseconds = delay > 0 ? (long)Math.Round(1e6 * delay) : UsualHopNanoseconds,
            Reconnects =
            [
                .. faults
                    .SelectMany(fault => ReconnectsOf(topology, fault))
                    .OrderBy(reconnect => reconnect.Nanoseconds),
            ],
        };
    }

    /// <summary>The load that a topology's file asks for.</summary>
    public static TransportLoad LoadOf(Topology topology)
    {
        var (load, nodes) = (topology.Load, topology.Nodes.Count);
        if (!load.IsOpenLoop)
            return TransportLoad.Closed(Math.Max(1, load.Publishers * load.InFlight / nodes));
        var perNode = load.MessagesPerSecond / nodes;
        return topology.Transport.Burst is { } burst
            ? TransportLoad.Burst(perNode, burst.MessagesPerSecond / nodes, burst.FromSeconds, burst.UntilSeconds)
            : TransportLoad.Open(perNode);
    }

    /// <summary>How much the queues of a design may hold, by its rules and not by its rates.</summary>
    /// <remarks>
    /// Nothing bounds a receive queue that drops nothing: a sender may be fast as long as it has not heard. When it
    /// has, it takes no new message, so that what follows was in its send queue before.
    /// </remarks>
    public static TransportBounds BoundsOf(TransportDesign design) =>
        design.UnboundedReceiveQueue
            ? new(long.MaxValue, design.ShedLength, design.SendQueueCapacity)
            : new(design.ReceiveQueueCapacity, long.MaxValue, design.SendQueueCapacity);

    /// <summary>Says what cannot be simulated.</summary>
    /// <exception cref="InputException">Some nodes have no link between them.</exception>
    public static void ThrowIfNotMeshed(Topology topology)
    {
        var count = topology.Nodes.Count;
        if (count < 2 || topology.Links.Count != count * (count - 1) / 2)
            throw new InputException(
                FormattableString.Invariant($"{topology.Name}: {topology.Links.Count} links between {count} nodes; ")
                    + "allowed for a transport: two nodes or more, each linked to every other, such as mesh:3."
            );
    }

    /// <summary>The design of a topology with a transport: its system's own, or the one of its hops.</summary>
    public static TransportDesign DesignOf(Topology topology)
    {
        var settings = topology.Transport;
        var name =
            topology.System == ClusterSystem.Transport ? settings.Design
            : topology.Hop == PeerHopMode.Transport417 ? TransportDesign.Version417.Name
            : TransportDesign.Version418.Name;
        return TransportDesign.All.First(design => design.Name == name) with
        {
            SendsPerSecond = settings.SendsPerSecond,
            ReceivesPerSecond = settings.ReceivesPerSecond,
            SendQueueCapacity = settings.SendQueue,
            ReceiveQueueCapacity = settings.ReceiveQueue,
            ShedLength = settings.Shed,
            RetransmissionNanoseconds = (long)Math.Round(1e6 * settings.RetransmissionMilliseconds),
        };
    }

    private static IEnumerable<TransportReconnect> ReconnectsOf(Topology topology, ScheduledFault fault)
    {
        if (fault.Fault is not { Kind: FaultKind.Cut, DurationNanoseconds: null })
            throw new InputException(
                $"{topology.Name}: '{fault.Fault}' is not simulated for a transport; allowed: 'cut A-B at TIME', "
                    + "which loses a connection that is made again at once."
            );
        return fault.Links.Select(link => new TransportReconnect(
            fault.AtNanoseconds,
            topology.Links[link].From,
            topology.Links[link].To
        ));
    }
}
