namespace MqttCheck.Brokers.Tests.Wire;

/// <summary>What lies between the socket and MQTT.</summary>
public enum TestTransport
{
    Tcp,
    Tls,
    WebSocket,
    SecureWebSocket,
}
