using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;

namespace MqttCheck.Broker.Routing;

/// <summary>A session that a message goes to.</summary>
internal struct RouteMatch
{
    public Session Session;

    /// <summary>
    /// The highest quality of service among the matching subscriptions (MQTT-3.3.5-1; 5: MQTT-3.3.4-2).
    /// </summary>
    public QualityOfService Qos;

    public bool RetainAsPublished;

    /// <summary>The identifiers of the matching subscriptions, equal ones repeated; null for none.</summary>
    public uint[]? Identifiers;
}
