using MqttCheck.Protocol;

namespace MqttCheck.Broker.Sessions;

/// <summary>One message on its way to one client.</summary>
/// <param name="Message">The message.</param>
/// <param name="Qos">The quality of service of this delivery: the lower of published and granted.</param>
/// <param name="Retain">The RETAIN flag of this delivery.</param>
/// <param name="SubscriptionIdentifiers">The identifiers of the matching subscriptions; null for none.</param>
internal readonly record struct Delivery(
    Message Message,
    QualityOfService Qos,
    bool Retain,
    uint[]? SubscriptionIdentifiers
) : IQualified;
