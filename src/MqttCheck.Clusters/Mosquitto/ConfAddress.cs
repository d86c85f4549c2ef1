namespace MqttCheck.Clusters.Mosquitto;

/// <summary>A remote broker that a bridge connects to.</summary>
/// <param name="Place">The line that names it.</param>
/// <param name="Host">The name or address.</param>
/// <param name="Port">The port; 1883 where none is given.</param>
internal sealed record ConfAddress(ConfPlace Place, string Host, int Port);
