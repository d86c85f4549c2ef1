namespace MqttCheck.Conformance;

/// <summary>Sends PINGREQ.</summary>
public sealed record PingCommand : Command;
