using MqttCheck.Protocol;

namespace MqttCheck.Broker.Sessions;

/// <summary>Something that is sent with a quality of service.</summary>
internal interface IQualified
{
    /// <summary>The quality of service it is sent with.</summary>
    QualityOfService Qos { get; }
}
