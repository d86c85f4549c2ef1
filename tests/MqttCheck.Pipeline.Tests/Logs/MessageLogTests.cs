using System.Globalization;
using System.Net;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;
using MqttCheck.Pipeline.Logs;

namespace MqttCheck.Pipeline.Tests.Logs;

/// <summary>What brokers rely on, the same for MqttCheck's own log and for Kafka's protocol.</summary>
[TestFixture("own")]
[TestFixture("kafka")]
internal sealed class MessageLogTests(string kind) : DirectoryFixture
{
    private static readonly LogPartition s_device = new(LogTopic.Device, 2);
    private static int s_logs;

    private LogNode? _node;
    private KafkaMock? _kafka;
    private string _prefix = "";
    private long _clients;

    [OneTimeSetUp]
    public void StartKafka() => _kafka = kind == "kafka" ? new KafkaMock() : null;

    [OneTimeTearDown]
    public void EndKafka() => _kafka?.Dispose();

    [SetUp]
    public void Begin()
    {
        _prefix = string.Create(CultureInfo.InvariantCulture, $"log{Interlocked.Increment(ref s_logs)}");
        if (kind == "own")
            _node = new LogNode(In("log"), new IPEndPoint(IPAddress.Loopback, 0));
    }

    [TearDown]
    public async Task End()
    {
        if (_node is not null)
            await _node.DisposeAsync();
    }

    [Test, CancelAfter(60_000)]
    public async Task Records_of_a_partition_are_read_in_their_order(CancellationToken cancellation)
    {
        await using var log = Client();
        var records = Records(100);
        await Task.WhenAll(records.Select(record => log.AppendAsync(s_device, record)));
        var read = new List<LogRecord>();
        while (read.Count < records.Length)
        {
            var pack = await log.ReadAsync(s_device, 30, cancellation);
            Assert.That(pack.Records, Has.Count.InRange(1, 30));
            read.AddRange(pack.Records);
            await log.CommitAsync(s_device, pack.Next);
        }
        Assert.That(read, Is.EqualTo(records));
    }

    [Test, CancelAfter(60_000)]
    public async Task What_is_not_committed_comes_again_to_the_next_client(CancellationToken cancellation)
    {
        var records = Records(5);
        await using (var first = Client())
        {
            foreach (var record in records)
                await first.AppendAsync(s_device, record);
            var pack = await first.ReadAsync(s_device, 2, cancellation);
            await first.CommitAsync(s_device, pack.Next - pack.Records.Count + 1);
        }
        await using var second = Client();
        Assert.That((await second.ReadAsync(s_device, 1, cancellation)).Records[0], Is.EqualTo(records[1]));
    }

    [Test, CancelAfter(60_000)]
    public async Task A_reader_waits_for_a_record_of_its_own_partition(CancellationToken cancellation)
    {
        await using var log = Client();
        var reading = log.ReadAsync(s_device, 10, cancellation);
        await log.AppendAsync(s_device with { Number = 1 }, Records(1)[0]);
        Assert.That(reading.IsCompleted, Is.False);
        var awaited = Records(2)[1];
        await log.AppendAsync(s_device, awaited);
        Assert.That((await reading).Records, Is.EqualTo(new[] { awaited }));
    }

    private IMessageLog Client() =>
        _kafka is null ? new LogNodeClient(_node!.Address, ++_clients) : new KafkaLog(_kafka.BootstrapServers, _prefix);

    private static LogRecord[] Records(int count) =>
        [
            .. Enumerable
                .Range(0, count)
                .Select(i => new LogRecord(i, new StoredMessage((ushort)i, i, new PipelineMessage(i, $"t/ä{i}", 1)))),
        ];
}
