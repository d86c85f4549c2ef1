using MqttCheck.Text;

namespace MqttCheck.Tests.Text;

[TestFixture]
internal sealed class AtomicFileTests : DirectoryFixture
{
    private string Target => Path.Combine(Folder, "new", "file.txt");

    [Test]
    public void A_file_is_written_into_a_folder_that_is_made_for_it_without_a_byte_order_mark()
    {
        AtomicFile.Write(Target, "größer");
        Assert.That(File.ReadAllBytes(Target), Is.EqualTo("größer"u8.ToArray()));
    }

    [Test]
    public void A_longer_file_is_replaced_whole_and_nothing_is_left_beside_it()
    {
        AtomicFile.Write(Target, "a long earlier text");
        AtomicFile.Write(Target, [1, 2]);
        Assert.That(File.ReadAllBytes(Target), Is.EqualTo(new byte[] { 1, 2 }));
        Assert.That(Directory.GetFiles(Path.GetDirectoryName(Target)!), Is.EqualTo([Target]));
    }

    [Test]
    public void The_earlier_file_is_there_while_the_new_one_is_written()
    {
        AtomicFile.Write(Target, "old");
        var seen = "";
        AtomicFile.Write(
            Target,
            stream =>
            {
                stream.Write("new"u8);
                stream.Flush();
                seen = File.ReadAllText(Target);
            }
        );
        Assert.That((seen, File.ReadAllText(Target)), Is.EqualTo(("old", "new")));
    }

    [Test]
    public void Writing_that_fails_half_way_leaves_the_earlier_file_and_nothing_beside_it()
    {
        AtomicFile.Write(Target, "old");
        Assert.That(
            () =>
                AtomicFile.Write(
                    Target,
                    stream =>
                    {
                        stream.Write("ne"u8);
                        throw new InvalidOperationException("half way");
                    }
                ),
            Throws.InvalidOperationException
        );
        Assert.That(File.ReadAllText(Target), Is.EqualTo("old"));
        Assert.That(Directory.GetFiles(Path.GetDirectoryName(Target)!), Is.EqualTo([Target]));
    }

    [Test]
    public void A_path_in_the_current_directory_needs_no_folder()
    {
        var name = $"atomic-{Guid.NewGuid():N}.txt";
        try
        {
            AtomicFile.Write(name, "text");
            Assert.That(File.ReadAllText(name), Is.EqualTo("text"));
        }
        finally
        {
            File.Delete(name);
        }
    }
}
