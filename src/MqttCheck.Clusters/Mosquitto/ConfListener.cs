namespace MqttCheck.Clusters.Mosquitto;

/// <summary>A port at which a broker takes connections.</summary>
/// <param name="Place">The line that opens it.</param>
/// <param name="Host">The address or name it is bound to; null for all.</param>
/// <param name="Port">The port; 0 for a socket in the file system.</param>
internal sealed record ConfListener(ConfPlace Place, string? Host, int Port)
{
    /// <summary><c>mount_point</c>: what stands in front of the topics of its clients; empty for nothing.</summary>
    public string MountPoint { get; init; } = "";

    /// <summary>Whether it speaks TLS, by certificate or by PSK.</summary>
    public bool IsTls { get; init; }
}
