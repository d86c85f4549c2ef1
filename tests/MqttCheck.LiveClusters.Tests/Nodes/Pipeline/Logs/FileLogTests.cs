using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline;
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
        // A mark ends the file, and the entry in front of it is whole.
        var whole = File.ReadAllBytes(LogFile)[..^EntryFile.Head];
        for (var length = before; length < whole.Length; length++)
        {
            File.WriteAllBytes(LogFile, whole[..(int)length]);
            using var cut = new FileLog(LogFile);
            Assert.That(cut.Read(s_partition, 9).Records, Is.EqualTo(new[] { new byte[] { 10 } }), $"{length}");
        }
    }

    // A store knows by offsets which records it has, so that a log in the place of another one must not repeat them.
    [Test]
    public void A_new_log_begins_at_the_given_offset_and_keeps_it()
    {
        using (var log = new FileLog(LogFile, first: 1000))
        {
            log.Append(1, 1, s_partition, [10]);
            log.Append(1, 2, s_partition, [20]);
            log.Commit(s_partition, 1001);
            log.Flush();
        }
        using var later = new FileLog(LogFile, first: 2000);
        var (records, next) = later.Read(s_partition, 9);
        Assert.That((records.Single()[0], next), Is.EqualTo(((byte)20, 1002L)));
        Assert.That(later.Read(new LogPartition(LogTopic.All, 4), 9).Next, Is.EqualTo(1000));
    }

    [Test]
    public void A_byte_that_was_changed_is_named_with_its_file_and_place()
    {
        using (var log = new FileLog(LogFile))
        {
            log.Append(1, 1, s_partition, [10]);
            log.Append(1, 2, s_partition, [20]);
            log.Flush();
        }
        var bytes = File.ReadAllBytes(LogFile);
        bytes[^(EntryFile.Head + 1)] ^= 1;
        File.WriteAllBytes(LogFile, bytes);
        Assert.That(
            () => new FileLog(LogFile),
            Throws
                .TypeOf<IOException>()
                .With.Message.StartsWith(
                    $"{LogFile} is damaged at byte 31: an entry of 23 bytes should begin there, and its checksum is "
                        + "wrong. Whole entries follow from byte 62 on."
                )
        );
        Assert.That(File.ReadAllBytes(LogFile), Is.EqualTo(bytes), "nothing was changed");
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
