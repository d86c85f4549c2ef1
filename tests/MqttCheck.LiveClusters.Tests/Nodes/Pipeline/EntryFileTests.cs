using FsCheck;
using FsCheck.Fluent;
using MqttCheck.LiveClusters.Nodes.Pipeline;

namespace MqttCheck.LiveClusters.Tests.Nodes.Pipeline;

/// <summary>An acknowledged entry is read again, or its file is named.</summary>
[TestFixture]
internal sealed class EntryFileTests : DirectoryFixture
{
    // Batches of entries, each batch written at once. Zeros and lengths look like heads of entries.
    private static readonly Gen<byte[][][]> s_batches = Gen.OneOf(
            Gen.Choose(0, 255).Select(value => (byte)value),
            Gen.Elements<byte>(0, 0, 0, 1, 8)
        )
        .NonEmptyListOf()
        .Select(entry => entry.Take(20).ToArray())
        .NonEmptyListOf()
        .Select(batch => batch.Take(3).ToArray())
        .NonEmptyListOf()
        .Select(batches => batches.Take(4).ToArray());

    private string Entries => In("entries");

    [Test]
    public void A_bit_that_was_turned_over_loses_no_entry_unless_the_file_is_named()
    {
        var (read, named) = (0, 0);
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(8),
            Prop.ForAll(
                s_batches.ToArbitrary(),
                batches =>
                {
                    var whole = Written(batches);
                    var entries = batches.SelectMany(batch => batch).ToList();
                    for (var bit = 0; bit < whole.Length * 8; bit++)
                    {
                        var turned = whole.ToArray();
                        turned[bit / 8] ^= (byte)(1 << (bit % 8));
                        if (Read(turned) is not { } found)
                            named++;
                        else if (found.SequenceEqual(entries, s_sameBytes))
                            read++;
                        else
                            return false.Label($"bit {bit} of {Convert.ToHexString(whole)}");
                    }
                    return true.ToProperty();
                }
            )
        );
        Assert.That(read, Is.Positive, "the last mark");
        Assert.That(named, Is.GreaterThan(read));
    }

    [Test]
    public void A_file_that_was_cut_off_within_its_last_write_loses_nothing_of_the_writes_before() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(30),
            Prop.ForAll(
                s_batches.ToArbitrary(),
                batches =>
                {
                    var (whole, before) = (Written(batches), Written(batches[..^1]).Length);
                    var kept = batches[..^1].SelectMany(batch => batch).ToList();
                    for (var length = before; length <= whole.Length; length++)
                    {
                        var found = Read(whole[..length]);
                        if (found?.Take(kept.Count).SequenceEqual(kept, s_sameBytes) != true)
                            return false.Label($"{length} bytes of {Convert.ToHexString(whole)}");
                    }
                    return true.ToProperty();
                }
            )
        );

    [Test]
    public void A_file_goes_on_behind_what_was_cut_off()
    {
        var whole = Written([
            [
                [1],
            ],
            [
                [2, 3],
            ],
        ]);
        // The machine has ended within the second entry, and within the mark behind it.
        foreach (
            var (cut, kept) in ((int, byte[][])[])
                [
                    (
                        EntryFile.Head + 1,
                        [
                            [1],
                        ]
                    ),
                    (
                        3,
                        [
                            [1],
                            [2, 3],
                        ]
                    ),
                ]
        )
        {
            File.WriteAllBytes(Entries, whole[..^cut]);
            using (var file = new EntryFile(Entries, _ => { }))
            {
                file.Write([4]);
                file.Flush();
            }
            Assert.That(Read(File.ReadAllBytes(Entries)), Is.EqualTo((byte[][])[.. kept, [4]]));
        }
    }

    private static readonly EqualityComparer<byte[]> s_sameBytes = EqualityComparer<byte[]>.Create(
        (one, other) => one.AsSpan().SequenceEqual(other),
        bytes => bytes.Length
    );

    private byte[] Written(byte[][][] batches)
    {
        File.Delete(Entries);
        using (var file = new EntryFile(Entries, _ => { }))
        {
            foreach (var batch in batches)
            {
                foreach (var entry in batch)
                    file.Write(entry);
                file.Flush();
            }
        }
        return File.ReadAllBytes(Entries);
    }

    /// <returns>The entries; null where the file is refused by its name.</returns>
    private List<byte[]>? Read(byte[] bytes)
    {
        File.WriteAllBytes(Entries, bytes);
        var found = new List<byte[]>();
        try
        {
            using var file = new EntryFile(Entries, content => found.Add(content.ToArray()));
            return found;
        }
        catch (IOException damaged) when (damaged.Message.StartsWith($"{Entries} is damaged at byte "))
        {
            return null;
        }
    }
}
