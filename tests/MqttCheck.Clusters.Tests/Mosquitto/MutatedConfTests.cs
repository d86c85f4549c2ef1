using System.Text;
using System.Text.RegularExpressions;
using MqttCheck.Clusters.Mosquitto;
using MqttCheck.Clusters.Mosquitto.Reading;
using MqttCheck.Statistics;

namespace MqttCheck.Clusters.Tests.Mosquitto;

[TestFixture]
internal sealed partial class MutatedConfTests : DirectoryFixture
{
    private const int Mutated = 10_000;
    private const int Compared = 500;
    private const ulong Seed = 51;

    // A shorter part of a secret tells little, and stands in other words too.
    private const int Telling = 6;

    [Test]
    public void The_files_are_right_as_they_are()
    {
        var path = In("a.conf");
        foreach (var text in ConfCorpus.Files)
        {
            File.WriteAllText(path, text);
            Assert.That(SecretSearch.Said("a", path), Does.StartWith("{"), text);
        }
    }

    // The seed is fixed, so there are no false alarms. One change is made to most files, and up to three to others.
    [Test, Category("Whole")]
    public void Ten_thousand_mutated_files_make_no_other_exception_and_show_no_secret()
    {
        var path = In("a.conf");
        var random = RandomStream.For(Seed);
        var (taken, refused) = (0, 0);
        string[] parts = [.. ConfCorpus.Secrets.SelectMany(Parts).Distinct()];
        for (var number = 0; number < Mutated; number++)
        {
            var bytes = Encoding.UTF8.GetBytes(ConfCorpus.Files[random.NextInt(ConfCorpus.Files.Length)]).ToList();
            for (var changes = 1 + random.NextInt(6) / 4 + random.NextInt(6) / 5; changes > 0; changes--)
                Change(bytes, random);
            File.WriteAllBytes(path, [.. bytes]);
            var said = SecretSearch.Said("a", path);
            _ = said.StartsWith('{') ? taken++ : refused++;
            foreach (var part in parts)
            {
                if (said.Contains(part, StringComparison.Ordinal))
                    Assert.Fail($"file {number} shows '{part}':\n{Encoding.UTF8.GetString([.. bytes])}\n{said}");
            }
        }
        // Both happen often.
        Assert.That((int[])[taken, refused], Is.All.GreaterThan(1000));
    }

    // The seed is fixed. The last line is refused, so that no broker starts. Addresses stay such that no name is looked
    // up, and there is no limit of memory, which a change makes too small for the broker itself.
    [Test, Category("Whole")]
    public void Mosquitto_refuses_the_same_lines_of_mutated_files()
    {
        Missing.Require("mosquitto", "apt-get install mosquitto (Debian, Ubuntu), brew install mosquitto (macOS)");
        var (random, path, compared) = (RandomStream.For(Seed + 1), In("a.conf"), 0);
        for (var number = 0; number < Compared; number++)
        {
            var text = ConfCorpus.Files[random.NextInt(ConfCorpus.Files.Length)];
            text = Named().Replace(text, line => line.Value.StartsWith("addr") ? "address 127.0.0.1" : "");
            var bytes = Encoding.UTF8.GetBytes(text).ToList();
            for (var changes = 1 + random.NextInt(3); changes > 0; changes--)
                Change(bytes, random);
            File.WriteAllBytes(path, [.. bytes, .. "\nend_of_the_case 1\n"u8]);
            var changed = Encoding.Latin1.GetString([.. bytes]);
            var refusal = Assert.Throws<InputException>(() => MosquittoConfReader.Read("a", path))!.Message;
            // The reader is stricter in two cases, and lines of later versions are none of the installed one.
            if (
                changed.Contains('\0')
                || Resolved().IsMatch(changed)
                || refusal.Contains("stands in the line")
                || refusal.Contains("is no topic filter")
                || changed.Split('\n').Any(IsLater)
            )
                continue;
            compared++;
            Assert.That(ConfVerdict.OfMosquitto(path), Is.EqualTo(ConfVerdict.OfReader(path)), $"{refusal}\n{changed}");
        }
        Assert.That(compared, Is.GreaterThan(Compared * 3 / 4));
    }

    [GeneratedRegex("(?m)^(?:address(?:es)?|bind_address|memory_limit|log_dest) .*$")]
    private static partial Regex Named();

    [GeneratedRegex(@"(?m)^ *(?:address|addresses|bind_address) +(?!127\.0\.0\.1(?:$|:| ))")]
    private static partial Regex Resolved();

    private static bool IsLater(string line)
    {
        var words = line.TrimStart(' ').Split(' ', 2);
        return ConfKeys.Since(new(default, words[0], words[^1])) is not null;
    }

    private static IEnumerable<string> Parts(string secret) =>
        Enumerable.Range(0, secret.Length - Telling + 1).Select(start => secret.Substring(start, Telling));

    private static void Change(List<byte> bytes, RandomStream random)
    {
        if (bytes.Count == 0)
            return;
        var at = random.NextInt(bytes.Count);
        var any = (byte)(random.NextInt(4) == 0 ? random.NextInt(256) : " \n\t#\"/+0aZ_"u8[random.NextInt(11)]);
        switch (random.NextInt(9))
        {
            case 0:
                bytes[at] = any;
                break;
            case 1:
                bytes[at] ^= (byte)(1 << random.NextInt(8));
                break;
            case 2:
                bytes.RemoveAt(at);
                break;
            case 3:
                bytes.Insert(at, any);
                break;
            case 4:
                // Without its key and the line break before it, a secret is a word like any other.
                var end = bytes.IndexOf((byte)'\n', at);
                bytes.RemoveRange(at, Math.Min(random.NextInt(20), (end < 0 ? bytes.Count : end) - at));
                break;
            default:
                ChangeLines(bytes, random);
                break;
        }
    }

    private static void ChangeLines(List<byte> bytes, RandomStream random)
    {
        var lines = Encoding.Latin1.GetString([.. bytes]).Split('\n').ToList();
        var (one, other) = (random.NextInt(lines.Count), random.NextInt(lines.Count));
        switch (random.NextInt(5))
        {
            case 0:
                lines.RemoveAt(one);
                break;
            case 1:
                lines.Insert(other, lines[one]);
                break;
            case 2:
                (lines[one], lines[other]) = (lines[other], lines[one]);
                break;
            case 3 when one > 0:
                lines[one - 1] += lines[one];
                lines.RemoveAt(one);
                break;
            default:
                lines[one] = lines[one].Insert(random.NextInt(lines[one].Length + 1), "\n");
                break;
        }
        bytes.Clear();
        bytes.AddRange(Encoding.Latin1.GetBytes(string.Join('\n', lines)));
    }
}
