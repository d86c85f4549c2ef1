using System.Text.RegularExpressions;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clusters.Mosquitto;
using MqttCheck.Statistics;

namespace MqttCheck.Clusters.Tests.Mosquitto;

[TestFixture]
internal sealed partial class ConfLawTests : DirectoryFixture
{
    private static readonly string[] s_broker =
    [
        "persistence true",
        "autosave_interval 60",
        "max_queued_messages 10",
        "max_queued_messages 20",
        "queue_qos0_messages true",
        "log_type all",
    ];

    private static readonly string[] s_listener =
    [
        "max_qos 1",
        "protocol websockets",
        "allow_anonymous true",
        "certfile c",
    ];

    private static readonly string[] s_bridge =
    [
        "topic b in 1 l/",
        "cleansession true",
        "start_type lazy",
        "remote_password secret",
        "persistence false",
        "try_private false",
    ];

    private static readonly string[] s_nothing = ["", "# a comment", "#connection x", "   ", "\r"];

    [Test]
    public void Comments_and_blank_lines_change_nothing() =>
        Always(random =>
        {
            var lines = Blocks(random).SelectMany(block => block).ToList();
            var plain = Read("a.conf", lines);
            for (var more = random.NextInt(10); more >= 0; more--)
                lines.Insert(random.NextInt(lines.Count + 1), s_nothing[random.NextInt(s_nothing.Length)]);
            return Read("a.conf", lines) == plain;
        });

    // A file begins outside of every block, so each part begins one.
    [Test]
    public void A_file_that_is_split_into_included_ones_reads_as_the_whole() =>
        Always(random =>
        {
            var blocks = Blocks(random);
            var whole = Read("a.conf", blocks.SelectMany(block => block));
            var folder = Directory.CreateDirectory(In($"{Guid.NewGuid():n}")).FullName;
            foreach (var (number, block) in blocks.Index())
                File.WriteAllLines(Path.Combine(folder, $"{number:d2}.conf"), block);
            // The line that includes them is one more.
            return Read("a.conf", [$"include_dir {folder}"], without: folder) == whole;
        });

    private static void Always(Func<RandomStream, bool> law) =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(200),
            Prop.ForAll(Gen.Choose(0, int.MaxValue).ToArbitrary(), seed => law(RandomStream.For((ulong)seed)))
        );

    private static List<List<string>> Blocks(RandomStream random)
    {
        var blocks = new List<List<string>> { Some(s_broker) };
        for (var number = random.NextInt(5); number >= 0; number--)
            blocks.Add(
                random.NextInt(2) == 0
                    ? [$"listener {1000 + number}", .. Some(s_listener)]
                    : [$"connection c{number}", "address far", "topic a/#", .. Some(s_bridge)]
            );
        return blocks;

        List<string> Some(string[] lines) => [.. lines.Where(_ => random.NextInt(2) == 0)];
    }

    private string Read(string name, IEnumerable<string> lines, string? without = null)
    {
        File.WriteAllLines(In(name), lines);
        var conf = MosquittoConfReader.Read("a", In(name));
        if (without is not null)
            conf = conf with { Lines = [.. conf.Lines.Where(line => line.Value != without)] };
        return Place().Replace(SecretSearch.Json(conf), "");
    }

    [GeneratedRegex(@"""File"":""[^""]*"",""Line"":\d+")]
    private static partial Regex Place();
}
