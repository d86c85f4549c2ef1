using System.Net;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Conformance;

/// <summary>The broker that scenarios run against.</summary>
/// <param name="Endpoint">Where it serves MQTT, and over what.</param>
/// <param name="Credentials">How to log in, null for anonymous.</param>
public sealed record CheckTarget(WireEndpoint Endpoint, Credentials? Credentials = null)
{
    /// <summary>A broker that serves MQTT over TCP to anybody.</summary>
    /// <param name="address">Where.</param>
    public CheckTarget(IPEndPoint address)
        : this(new WireEndpoint(address)) { }
}
