using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;
using MqttCheck.Pipeline.Logs;

namespace MqttCheck.Pipeline.Tests.Logs;

/// <summary>The log over Kafka's protocol, beside what every log does.</summary>
[TestFixture]
internal sealed class KafkaLogTests
{
    // The library's own patience with an unknown topic is shorter than this wait.
    [Test, CancelAfter(60_000)]
    [Category("Whole")]
    public async Task A_reader_that_was_there_before_its_topic_gets_the_first_record(CancellationToken cancellation)
    {
        using var kafka = new KafkaMock();
        await using var log = new KafkaLog(kafka.BootstrapServers, "late");
        var partition = new LogPartition(default, 0);
        var read = log.ReadAsync(partition, 10, cancellation);
        await Task.Delay(TimeSpan.FromSeconds(3), cancellation);
        var record = new LogRecord(1, new StoredMessage(1, 1, new PipelineMessage(1, "t", 1)));
        await log.AppendAsync(partition, record);
        Assert.That((await read).Records, Is.EqualTo([record]));
    }
}
