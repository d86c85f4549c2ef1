using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Model;

/// <summary>A copy of a message that a client got by a shared subscription and could get by nothing else.</summary>
/// <param name="Client">The client.</param>
/// <param name="Connection">The connection on which it came.</param>
/// <param name="Filter">The filter with the share name.</param>
/// <param name="Qos">Its quality of service.</param>
internal sealed record SharedCopy(int Client, ObservedConnection Connection, string Filter, QualityOfService Qos);
