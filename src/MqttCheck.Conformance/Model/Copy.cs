using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Model;

/// <summary>One copy of a message at a subscriber; one that is sent again is the same copy.</summary>
/// <param name="Qos">Its quality of service.</param>
/// <param name="Entry">The trace entry.</param>
internal readonly record struct Copy(QualityOfService Qos, int Entry);
