using System.Numerics;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.LiveClusters.Disks;
using MqttCheck.Statistics;

namespace MqttCheck.LiveClusters.Tests.Disks;

public sealed class FileDamageTests
{
    private const int Size = 1000;

    private TemporaryDirectory _directory = null!;

    [SetUp]
    public void Begin()
    {
        _directory = new TemporaryDirectory();
        Directory.CreateDirectory(Path.Combine(_directory.Path, "store"));
        foreach (var name in (string[])["a.log", "store/b.log", "a.conf"])
            File.WriteAllBytes(Path.Combine(_directory.Path, name), new byte[Size]);
    }

    [TearDown]
    public async Task EndAsync() => await _directory.DisposeAsync();

    [Test]
    public void Bits_of_files_that_match_are_turned_over_and_no_others()
    {
        var said = FileDamage.Flip(_directory.Path, "*.log", bits: 40, RandomStream.For(1));

        // Two of 40 places are the same with probability 5 %; the seed is one where they are not.
        Assert.That(Ones("a.log") + Ones("store/b.log"), Is.EqualTo(40));
        Assert.That(Ones("a.log"), Is.InRange(1, 39));
        Assert.That(Ones("a.conf"), Is.Zero);
        Assert.That(said, Has.Count.EqualTo(2).And.All.Contains("bits turned over"));
    }

    [Test]
    public void The_same_seed_hits_the_same_bits_and_another_seed_others()
    {
        FileDamage.Flip(_directory.Path, "*.log", bits: 9, RandomStream.For(1));
        FileDamage.Flip(_directory.Path, "*.log", bits: 9, RandomStream.For(1));
        Assert.That(Ones("a.log") + Ones("store/b.log"), Is.Zero);
        FileDamage.Flip(_directory.Path, "*.log", bits: 9, RandomStream.For(1));
        FileDamage.Flip(_directory.Path, "*.log", bits: 9, RandomStream.For(2));
        Assert.That(Ones("a.log") + Ones("store/b.log"), Is.EqualTo(18));
    }

    [Test]
    public void One_file_is_cut_at_a_place_within_it()
    {
        var said = FileDamage.Cut(_directory.Path, "store/*", tail: null, RandomStream.For(1));
        Assert.That(Length("store/b.log"), Is.InRange(1, Size - 1));
        Assert.That(Length("a.log"), Is.EqualTo(Size));
        Assert.That(said.Single(), Does.Contain($"cut from {Size} to {Length("store/b.log")} bytes"));
    }

    [Test]
    public void The_tail_of_a_file_is_cut_off()
    {
        FileDamage.Cut(_directory.Path, "a.log", tail: 7, RandomStream.For(1));
        Assert.That(Length("a.log"), Is.EqualTo(Size - 7));
    }

    [Test]
    public void Files_that_nothing_matches_and_empty_ones_stay_as_they_are()
    {
        File.WriteAllBytes(Path.Combine(_directory.Path, "empty"), []);
        foreach (var pattern in (string[])["nothing", "empty"])
        {
            Assert.That(FileDamage.Flip(_directory.Path, pattern, bits: 3, RandomStream.For(1)), Is.Empty);
            Assert.That(FileDamage.Cut(_directory.Path, pattern, tail: null, RandomStream.For(1)), Is.Empty);
        }
        Assert.That(Ones("a.log") + Ones("store/b.log") + Ones("a.conf"), Is.Zero);
    }

    [Test]
    public void A_link_to_a_file_elsewhere_is_not_followed()
    {
        File.CreateSymbolicLink(Path.Combine(_directory.Path, "store/link"), Path.Combine(_directory.Path, "a.conf"));
        Assert.That(FileDamage.Flip(_directory.Path, "store/link", bits: 3, RandomStream.For(1)), Is.Empty);
        Assert.That(Ones("a.conf"), Is.Zero);
    }

    private int Ones(string name) =>
        File.ReadAllBytes(Path.Combine(_directory.Path, name)).Sum(value => BitOperations.PopCount(value));

    private long Length(string name) => new FileInfo(Path.Combine(_directory.Path, name)).Length;
}
