namespace MqttCheck.ClusterProtocols.Pipeline.Simulating;

/// <summary>A subscriber of the simulated pipeline.</summary>
internal sealed class PipelineClient(int number, int home, string filter, int qos)
{
    /// <summary>Its number.</summary>
    public int Number => number;

    /// <summary>The index of the node that it prefers.</summary>
    public int Home => home;

    /// <summary>Its topic filter.</summary>
    public string Filter => filter;

    /// <summary>The quality of service of its subscription.</summary>
    public int Qos => qos;

    /// <summary>The index of the node that it is connected to; -1 for none.</summary>
    public int Node { get; set; } = -1;

    /// <summary>Whether it stays away by itself.</summary>
    public bool IsAway { get; set; }

    /// <summary>Messages of QoS 2 that it has and that were not released: a repeat of one is no new message.</summary>
    public Dictionary<ushort, long> Unreleased { get; } = [];

    /// <summary>How many connections it has had; acknowledgements of an earlier one do not arrive.</summary>
    public int Connection { get; set; }
}
