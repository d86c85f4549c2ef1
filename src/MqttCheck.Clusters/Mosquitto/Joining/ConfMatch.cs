namespace MqttCheck.Clusters.Mosquitto.Joining;

/// <summary>How the node at the far end of a bridge was found.</summary>
internal enum ConfMatch
{
    /// <summary>A file listens on the port, at this host.</summary>
    Listener,

    /// <summary>A file listens on the port, and its node has the name of the host.</summary>
    Name,

    /// <summary>One other file alone listens on the port. The host may be another one.</summary>
    PortAlone,

    /// <summary>The user said which node has the address.</summary>
    Told,

    /// <summary>No file has the address.</summary>
    Outside,
}
