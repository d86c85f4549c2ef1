using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;

namespace MqttCheck.LiveClusters.Tests.Nodes.Pipeline.Logs;

[TestFixture]
internal sealed class FileLogTests : DirectoryFixture
{
    private static readonly LogPartition s_partition = new(LogTopic.All, 3);

    private string LogFile => In("log");

    [Test]
    public void A_file_that_ends_within_an_entry_loses_that_entry_only()
    {
        long before;
        using (var log = new FileLog(LogFile))
        {
            log.Append(1, 1, s_partition, [10]);
            log.Flush();
            before = new FileInfo(LogFile).Length;
            log.Append(1, 2, s_partition, [20, 21]);
            log.Flush();
        }
        var whole = File.ReadAllBytes(LogFile);
        for (var length = before; length < whole.Length; length++)
        {
            File.WriteAllBytes(LogFile, whole[..(int)length]);
            using var cut = new FileLog(LogFile);
            Assert.That(cut.Read(s_partition, 9).Records, Is.EqualTo(new[] { new byte[] { 10 } }), $"{length}");
        }
    }

    [Test]
    public void A_byte_that_was_changed_ends_the_log_before_it()
    {
        using (var log = new FileLog(LogFile))
        {
            log.Append(1, 1, s_partition, [10]);
            log.Append(1, 2, s_partition, [20]);
            log.Flush();
        }
        var bytes = File.ReadAllBytes(LogFile);
        bytes[^1] ^= 1;
        File.WriteAllBytes(LogFile, bytes);
        using var read = new FileLog(LogFile);
        Assert.That(read.Read(s_partition, 9).Records, Is.EqualTo(new[] { new byte[] { 10 } }));
    }

    [Test]
    public void What_is_done_and_who_has_appended_what_survive()
    {
        using (var log = new FileLog(LogFile))
        {
            log.Append(1, 1, s_partition, [10]);
            log.Append(1, 2, s_partition, [20]);
            log.Commit(s_partition, 1);
            log.Flush();
        }
        using var again = new FileLog(LogFile);
        again.Append(1, 2, s_partition, [20]);
        again.Append(2, 1, s_partition, [30]);
        var (records, next) = again.Read(s_partition, 9);
        Assert.That(records, Is.EqualTo(new[] { new byte[] { 20 }, new byte[] { 30 } }));
        Assert.That(next, Is.EqualTo(3));
    }

    [Test]
    public void Nothing_is_in_the_file_before_it_is_flushed()
    {
        using var log = new FileLog(LogFile);
        log.Append(1, 1, s_partition, [10]);
        Assert.That(new FileInfo(LogFile).Length, Is.Zero);
        log.Flush();
        Assert.That(new FileInfo(LogFile).Length, Is.Positive);
    }
}
