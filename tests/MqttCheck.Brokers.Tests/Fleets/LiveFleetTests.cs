using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Tests.Fleets;

[TestFixture]
internal sealed class LiveFleetTests() : LiveFleet(ClientKind.Own);
