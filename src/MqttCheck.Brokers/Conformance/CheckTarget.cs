using System.Net;
using MqttCheck.Brokers.Processes;

namespace MqttCheck.Brokers.Conformance;

/// <summary>The broker that scenarios run against.</summary>
/// <param name="Address">Where it serves MQTT over TCP.</param>
/// <param name="Credentials">How to log in, null for anonymous.</param>
public sealed record CheckTarget(IPEndPoint Address, Credentials? Credentials = null);
