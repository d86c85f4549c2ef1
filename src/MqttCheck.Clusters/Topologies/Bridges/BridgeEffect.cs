namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>All that bridges make of one message from one place on.</summary>
internal sealed class BridgeEffect(Topology topology)
{
    /// <summary>How many copies each node gets, by its index; as many as fit, where there are more.</summary>
    public int[] Copies { get; } = new int[topology.Nodes.Count];

    /// <summary>How many messages enter each directed link, as in <see cref="BridgeRoute.Messages"/>.</summary>
    public int[] Messages { get; } = new int[2 * topology.Links.Count];

    /// <summary>The lowest quality of service that bridges give on the way, 0 .. 2.</summary>
    public int LowestQos { get; private set; } = 2;

    /// <summary>Notes that a message enters a directed link.</summary>
    public void Pass(BridgeHop hop)
    {
        Messages[hop.Way] = 1;
        LowestQos = Math.Min(LowestQos, (int)hop.Qos);
    }

    /// <summary>Adds the effect behind a directed link.</summary>
    public void Add(BridgeEffect behind, int link)
    {
        Messages[link] = Sum(Messages[link], 1);
        for (var node = 0; node < Copies.Length; node++)
            Copies[node] = Sum(Copies[node], behind.Copies[node]);
        for (var other = 0; other < Messages.Length; other++)
            Messages[other] = Sum(Messages[other], behind.Messages[other]);
    }

    private static int Sum(int one, int other) => (int)Math.Min((long)one + other, int.MaxValue);
}
