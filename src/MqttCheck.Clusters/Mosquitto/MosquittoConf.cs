using MqttCheck.Clusters.Mosquitto.Reading;

namespace MqttCheck.Clusters.Mosquitto;

/// <summary>A configuration of one Mosquitto, with the files that it includes. It holds no secret.</summary>
internal sealed record MosquittoConf
{
    /// <summary>The name of its node: a lower-case letter, then lower-case letters and digits.</summary>
    public required string Name { get; init; }

    /// <summary>The path, as given.</summary>
    public required string File { get; init; }

    /// <summary>All settings in the order in which Mosquitto reads them.</summary>
    public required IReadOnlyList<ConfLine> Lines { get; init; }

    /// <summary>
    /// Those of <see cref="Lines"/> that <see cref="ConfKeys.Followed"/> does not have; <see cref="ConfKeys.Since"/>
    /// tells from which version on Mosquitto has them.
    /// </summary>
    public IReadOnlyList<ConfLine> NewerLines { get; init; } = [];

    /// <summary>The ports; that of Mosquitto without a listener, if none is given.</summary>
    public required IReadOnlyList<ConfListener> Listeners { get; init; }

    /// <summary>The first listener at a port; null where there is none.</summary>
    public ConfListener? ListenerAt(int port) => Listeners.FirstOrDefault(listener => listener.Port == port);

    /// <summary>The bridges that it opens.</summary>
    public required IReadOnlyList<ConfBridge> Bridges { get; init; }

    /// <summary><c>persistence</c>: whether sessions and messages outlive the process.</summary>
    public bool IsPersistent { get; init; }

    /// <summary><c>autosave_interval</c>, in seconds; 0 for only at the end.</summary>
    public int AutosaveSeconds { get; init; } = 1800;

    /// <summary><c>autosave_on_changes</c>: whether <see cref="AutosaveSeconds"/> counts changes instead.</summary>
    public bool CountsChanges { get; init; }

    /// <summary><c>max_queued_messages</c> of a client that is away; 0 for no limit.</summary>
    public int MaxQueuedMessages { get; init; } = 1000;

    /// <summary><c>queue_qos0_messages</c>: whether a persistent session keeps messages of QoS 0 too.</summary>
    public bool QueuesQos0 { get; init; }
}
