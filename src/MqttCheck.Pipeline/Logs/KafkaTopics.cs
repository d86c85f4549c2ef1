using Confluent.Kafka;
using Confluent.Kafka.Admin;
using MqttCheck.Brokers.Processes;
using MqttCheck.ClusterProtocols.Pipeline;

namespace MqttCheck.Pipeline.Logs;

/// <summary>The topics of a log on Kafka.</summary>
internal static class KafkaTopics
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    // The mock cluster of librdkafka has no controller that makes topics, and never answers.
    private static readonly CreateTopicsOptions s_options = new() { RequestTimeout = TimeSpan.FromSeconds(3) };

    /// <summary>The name of a topic.</summary>
    /// <param name="prefix">The beginning of all names.</param>
    /// <param name="topic">The topic.</param>
    public static string NameOf(string prefix, LogTopic topic) => $"{prefix}.{topic.ToString().ToLowerInvariant()}";

    /// <summary>
    /// Makes the topics, unless another broker has made them. Servers that cannot be asked for topics make them as
    /// records come.
    /// </summary>
    /// <param name="servers">Addresses of brokers of Kafka.</param>
    /// <param name="prefix">The beginning of their names.</param>
    /// <param name="partitions">How many partitions those of publications and of sessions have.</param>
    /// <param name="brokers">How many brokers the pipeline has, each with a partition of its own.</param>
    /// <exception cref="BrokerException">Kafka does not answer, or refuses.</exception>
    public static async Task CreateAsync(string servers, string prefix, int partitions, int brokers)
    {
        using var admin = new AdminClientBuilder(new AdminClientConfig { BootstrapServers = servers })
            .SetLogHandler((_, _) => { })
            .Build();
        try
        {
            // Tells a Kafka that is not there from one that makes no topics.
            _ = admin.GetMetadata(s_patience);
            await admin.CreateTopicsAsync(
                Enum.GetValues<LogTopic>()
                    .Select(topic => new TopicSpecification
                    {
                        Name = NameOf(prefix, topic),
                        NumPartitions = topic == LogTopic.Downlink ? brokers : partitions,
                    }),
                s_options
            );
        }
        catch (CreateTopicsException refused)
            when (refused.Results.All(result => result.Error.Code is ErrorCode.NoError or ErrorCode.TopicAlreadyExists))
        { }
        catch (KafkaException unable)
            when (unable.Error.Code is ErrorCode.Local_UnsupportedFeature or ErrorCode.Local_TimedOut) { }
        catch (KafkaException failure)
        {
            throw new BrokerException($"Kafka at {servers}: {failure.Error.Reason}.", failure);
        }
    }
}
