using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;

namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>An application message on its way over one hop.</summary>
/// <param name="Message">The message.</param>
/// <param name="Qos">The quality of service of the hop: the lower of the message's and the link's.</param>
internal readonly record struct HopDelivery(RoutedMessage Message, QualityOfService Qos) : IQualified;
