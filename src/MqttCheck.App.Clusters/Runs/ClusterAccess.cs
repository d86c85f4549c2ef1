using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Mosquitto;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.LiveClusters.Verdicts;
using static System.FormattableString;

namespace MqttCheck.App.Clusters.Runs;

/// <summary>How a cluster is reached, and what may be done to it.</summary>
internal sealed record ClusterAccess
{
    /// <summary>How its brokers are reached.</summary>
    public BrokerLaunchOptions Brokers { get; init; } = new();

    /// <summary>How many messages per second all clients together may send; null (the default) for no limit.</summary>
    public int? RateCap { get; init; }

    /// <summary>Whether the commands of its file may run that change its nodes. Default no.</summary>
    public bool AllowCommands { get; init; }

    /// <summary>The user's configuration of each node; empty (the default) where no node has one.</summary>
    public IReadOnlyList<MosquittoConf?> Configurations { get; init; } = [];

    /// <summary>Refuses what is not allowed, before anything is connected or started.</summary>
    /// <exception cref="InputException">
    /// A node is on another machine, a command is needed that may not run, credentials or certificates are missing, or
    /// the load is above the cap.
    /// </exception>
    public void Require(Topology topology)
    {
        foreach (var node in topology.Nodes.Where(node => node.Address is not null))
            _ = RunningNodes.Of(topology, node, Brokers);
        if (topology.System == ClusterSystem.Running)
            RequireCommands(topology);
        RequireRate(topology);
    }

    /// <summary>How many messages per second the load may send beside the probes; null for no limit.</summary>
    public double? LoadCap(Topology topology) => RateCap - ClusterVerification.ProbeRate(topology);

    private void RequireCommands(Topology topology)
    {
        if (!AllowCommands && topology.Scenario.Faults.Any(fault => fault.IsOfNodes))
            throw new InputException(RunningCluster.NotAllowed(topology));
        for (var node = 0; node < topology.Nodes.Count; node++)
            foreach (var key in topology.Nodes[node].Commands.Keys)
                _ = FaultCommand.Of(topology, node, key);
    }

    // A closed loop is held back to what the probes leave of the cap; the rate of an open one is the user's choice.
    private void RequireRate(Topology topology)
    {
        if (LoadCap(topology) is not { } most)
            return;
        var load = topology.Load;
        var rate = load.IsOpenLoop ? Math.Max(load.MessagesPerSecond, load.Burst?.MessagesPerSecond ?? 0) : 0;
        if (rate <= most && most > 0)
            return;
        var probes = ClusterVerification.ProbeRate(topology);
        throw new InputException(
            Invariant($"{topology.Name}: load '{load.Name}' sends {rate:0.##} messages/s and probes between the ")
                + Invariant($"brokers {probes:0.##}; allowed: {RateCap} together, or a higher --rate-cap, at least ")
                + Invariant($"{Math.Ceiling(rate + probes + (load.IsOpenLoop ? 0 : 1)):0}.")
        );
    }
}
