namespace MqttCheck.Brokers.Processes;

/// <summary>Properties of the kinds of brokers.</summary>
internal static class BrokerKinds
{
    /// <summary>Whether a broker comes with the program that measures, so that nothing has to be installed.</summary>
    /// <param name="kind">The kind.</param>
    public static bool IsHosted(this BrokerKind kind) => kind is BrokerKind.Embedded or BrokerKind.MqttNet;

    /// <summary>Whether a broker consists of several programs, which are started as a cluster is.</summary>
    /// <param name="kind">The kind.</param>
    public static bool IsComposed(this BrokerKind kind) => kind is BrokerKind.AedesRedis or BrokerKind.Pipeline;
}
