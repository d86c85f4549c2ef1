namespace MqttCheck.Captures.Exchanges;

/// <summary>A will without its text.</summary>
/// <param name="Topic">Its topic.</param>
/// <param name="Bytes">How long its text is.</param>
/// <param name="Qos">Its quality of service.</param>
/// <param name="IsRetained">Whether the broker keeps it.</param>
internal sealed record SeenWill(string Topic, int Bytes, int Qos, bool IsRetained);
