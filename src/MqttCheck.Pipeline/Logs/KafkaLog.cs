using System.Collections.Concurrent;
using System.Threading.Channels;
using Confluent.Kafka;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;

namespace MqttCheck.Pipeline.Logs;

/// <summary>The log over Kafka's protocol. Partitions are assigned by hand, and producers are idempotent.</summary>
internal sealed class KafkaLog : IMessageLog
{
    private static readonly TimeSpan s_poll = TimeSpan.FromMilliseconds(100);

    private readonly IProducer<Null, byte[]> _producer;
    private readonly IConsumer<Ignore, byte[]> _consumer;
    private readonly ConcurrentDictionary<TopicPartition, Channel<ConsumeResult<Ignore, byte[]>>> _arrived = [];
    private readonly ConcurrentQueue<TopicPartition> _wanted = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _consuming;
    private readonly string _prefix;

    /// <summary>Clients of a cluster.</summary>
    /// <param name="bootstrapServers">Addresses of brokers, with commas between them.</param>
    /// <param name="prefix">The beginning of topic names; readers with the same prefix share their commits.</param>
    /// <param name="lingerMilliseconds">How long an append waits for others that go with it.</param>
    public KafkaLog(string bootstrapServers, string prefix, double lingerMilliseconds = 5)
    {
        _prefix = prefix;
        _producer = new ProducerBuilder<Null, byte[]>(
            new ProducerConfig
            {
                BootstrapServers = bootstrapServers,
                EnableIdempotence = true,
                LingerMs = lingerMilliseconds,
            }
        ).SetLogHandler((_, _) => { }).Build();
        _consumer = new ConsumerBuilder<Ignore, byte[]>(
            new ConsumerConfig
            {
                BootstrapServers = bootstrapServers,
                GroupId = prefix,
                EnableAutoCommit = false,
                AutoOffsetReset = AutoOffsetReset.Earliest,
                AllowAutoCreateTopics = true,
            }
        ).SetLogHandler((_, _) => { }).Build();
        _consuming = Task.Factory.StartNew(Consume, TaskCreationOptions.LongRunning);
    }

    /// <inheritdoc/>
    public Task AppendAsync(LogPartition partition, LogRecord record) =>
        _producer.ProduceAsync(PlaceOf(partition), new Message<Null, byte[]> { Value = RecordCodec.Encode(record) });

    /// <inheritdoc/>
    public async Task<LogPack> ReadAsync(LogPartition partition, int most, CancellationToken cancellation)
    {
        var place = PlaceOf(partition);
        var arrived = _arrived.GetOrAdd(
            place,
            wanted =>
            {
                _wanted.Enqueue(wanted);
                return Channel.CreateUnbounded<ConsumeResult<Ignore, byte[]>>();
            }
        );
        var first = await arrived.Reader.ReadAsync(cancellation);
        var (records, last) = (new List<LogRecord> { RecordCodec.Record(first.Message.Value) }, first.Offset.Value);
        while (records.Count < most && arrived.Reader.TryRead(out var next))
        {
            records.Add(RecordCodec.Record(next.Message.Value));
            last = next.Offset.Value;
        }
        return new LogPack(records, last + 1);
    }

    /// <inheritdoc/>
    public Task CommitAsync(LogPartition partition, long next) =>
        Task.Run(() => _consumer.Commit([new TopicPartitionOffset(PlaceOf(partition), next)]));

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _consuming;
        _consumer.Dispose();
        _producer.Dispose();
        _stop.Dispose();
    }

    private TopicPartition PlaceOf(LogPartition partition) =>
        new(KafkaTopics.NameOf(_prefix, partition.Topic), partition.Number);

    // A single thread polls for records, and assigns the requested partitions.
    private void Consume()
    {
        while (!_stop.IsCancellationRequested)
        {
            while (_wanted.TryDequeue(out var wanted))
                _consumer.IncrementalAssign([new TopicPartitionOffset(wanted, Offset.Stored)]);
            try
            {
                if (_consumer.Consume(s_poll) is { Message: not null } result)
                    _arrived[result.TopicPartition].Writer.TryWrite(result);
            }
            catch (ConsumeException notYet) when (!notYet.Error.IsFatal)
            {
                // The library gives up a partition whose topic does not exist yet; its first record creates it.
                if (
                    notYet.Error.Code
                    is ErrorCode.UnknownTopicOrPart
                        or ErrorCode.Local_UnknownTopic
                        or ErrorCode.Local_UnknownPartition
                )
                    Again(notYet.ConsumerRecord.TopicPartition);
            }
        }
    }

    private void Again(TopicPartition place)
    {
        _consumer.IncrementalUnassign([place]);
        _wanted.Enqueue(place);
        _stop.Token.WaitHandle.WaitOne(s_poll);
    }
}
