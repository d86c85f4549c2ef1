using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.Clusters.Events;
using MqttCheck.LiveClusters.Nodes;

namespace MqttCheck.LiveClusters.Tests.Nodes;

[TestFixture]
internal sealed class NodeNoteTests : DirectoryFixture
{
    [Test]
    public void Every_kind_of_note_is_read_as_it_was_written([Values] ClusterNoteKind kind)
    {
        var note = new ClusterNote(kind, -1, 42, "a topic/with spaces");
        var line = NodeNote.Write(note, 123);
        Assert.That((NodeNote.TryRead(line, 4, out var read), read), Is.EqualTo((true, note.ToEvent(4, 123))));
    }

    [TestCase("")]
    [TestCase("12")]
    [TestCase("123 root 4")]
    [TestCase("123 nonsense 4 5 ")]
    public void A_torn_line_is_none(string line) => Assert.That(NodeNote.TryRead(line, 0, out _), Is.False);

    [Test]
    public async Task Notes_of_several_processes_are_handed_on_in_their_order_and_a_torn_one_is_left_out()
    {
        var path = In("notes");
        var events = new List<ClusterEvent>();
        await using (new NoteReader([path], events.Add))
        {
            using (var first = new NoteWriter(path))
                first.Write(new ClusterNote(ClusterNoteKind.Root, 1, 0), 10);
            await File.AppendAllTextAsync(path, "20 roo");
            using (var second = new NoteWriter(path))
                second.Write(new ClusterNote(ClusterNoteKind.Root, 2, 0), 30);
        }
        Assert.That(events.Select(one => (one.Nanoseconds, one.Peer)), Is.EqualTo([(10L, 1), (30L, 2)]));
    }
}
