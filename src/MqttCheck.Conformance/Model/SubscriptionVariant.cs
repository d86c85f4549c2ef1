using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Model;

/// <summary>A subscription as it may be stored by the broker.</summary>
/// <param name="Qos">The granted quality of service.</param>
/// <param name="NoLocal">MQTT 5.</param>
/// <param name="RetainAsPublished">MQTT 5.</param>
/// <param name="Identifier">MQTT 5: its identifier, 0 for none.</param>
internal sealed record SubscriptionVariant(QualityOfService Qos, bool NoLocal, bool RetainAsPublished, uint Identifier);
