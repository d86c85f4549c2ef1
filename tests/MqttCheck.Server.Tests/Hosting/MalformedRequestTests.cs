using System.Collections.Concurrent;
using System.Text;
using System.Text.Json;
using MqttCheck.Server.Questions;
using MqttCheck.Statistics;

namespace MqttCheck.Server.Tests.Hosting;

/// <summary>
/// Malformed JSON of any shape: 10 000 mutations of good requests by a fixed seed. Each is read, or refused with a
/// reason; nothing else may come out of the readers. All of them go through the server as well.
/// </summary>
[TestFixture]
internal sealed class MalformedRequestTests
{
    private const int Requests = 10_000;
    private const int FirstRequests = 200;
    private const int Connections = 8;
    private const int PaddingBytes = 8192;

    // All bodies together have five times as much.
    private const long MostBytesKept = 16 * 1024 * 1024;
    private const ulong Seed = 20_261_125;

    private static readonly string[] s_pieces =
    [
        "null",
        "[]",
        "{}",
        "\"\"",
        "-1",
        "1e999",
        "0.1",
        "true",
        "{\"a\":",
        "[[[[",
        "\\u0000",
        "\"\\ud800\"",
        ",",
        ":",
        "\"groups\"",
        "\"profile\"",
        "NaN",
        "99999999999999999999",
        "\u00ff",
        "\"../../x\"",
        "\"session\"",
    ];

    private static readonly string[] s_questions =
    [
        "/api/commands",
        "/api/predictions",
        "/api/sensitivities",
        "/api/largest-fleets",
        "/api/verification-plans",
        "/api/verifications",
        "/api/explorations",
    ];

    private static readonly string s_cluster =
        """{ "session": "c", "request": 1, "family": "mesh:4", "faults": ["kill n1 at 5s for 3s"], "properties": ["E[ lost ]"], "vary": "link(n1,n2).delay=10..80ms:3" }""";

    private static readonly string s_topology =
        """{ "name": "two", "system": "spanning-tree", "nodes": [ { "name": "a" }, { "name": "b", "capability": 2 } ], "links": [ { "between": ["a", "b"], "delay": "normal:10ms,2ms", "rate": "10Mbit" } ], "sites": [ { "name": "s", "at": "a", "delay": "constant:5ms", "publishers": 1, "subscribers": 1 } ], "faults": [ "cut a-b at 2s for 1s" ] }""";

    [Test]
    public void Ten_thousand_malformed_requests_are_read_or_refused_with_a_reason()
    {
        var models = new ModelShelf();
        models.Add(RepositoryFiles.Model);
        var reader = new QuestionReader(models);
        var (read, refused) = (0, 0);
        for (var number = 0; number < Requests; number++)
        {
            var request = Mutant(number);
            try
            {
                if (IsOfATopology(number))
                    _ = QuestionReader.ReadTopology(request);
                else if (number % 3 == 0)
                    _ = QuestionReader.ReadCluster(request);
                else if (number % 3 == 1)
                    _ = reader.Read(request);
                else
                    _ = QuestionReader.ReadProfile(request);
                read++;
            }
            catch (InputException reason)
            {
                Assert.That(reason.Message, Is.Not.Empty);
                refused++;
            }
        }
        // Mutations are such that most requests break and some do not.
        Assert.That((read, refused), Is.EqualTo((Requests - refused, refused)));
        Assert.That(refused, Is.GreaterThan(Requests / 2));
        Assert.That(read, Is.GreaterThan(0));
    }

    [Test]
    [Category("Whole")]
    public async Task Through_the_server_each_gets_an_answer_memory_is_bounded_and_no_file_leaves_the_output_directory()
    {
        await using var server = await TestServer.StartAsync();
        using var client = server.Client();
        var elsewhere = (string[])[Path.GetDirectoryName(RepositoryFiles.Model)!, Environment.CurrentDirectory];
        var before = elsewhere.SelectMany(FilesOf).ToArray();
        // The first requests make all that is made once, such as compiled code and pools of buffers.
        await SendAsync(client, 0, FirstRequests);
        var kept = GC.GetTotalMemory(forceFullCollection: true);
        var answers = await SendAsync(client, FirstRequests, Requests);
        Assert.That(answers[200] + answers[400], Is.GreaterThan(Requests * 9 / 10), "most are read or refused");
        Assert.That(answers[400], Is.GreaterThan(Requests / 2));
        Assert.That(answers[200], Is.GreaterThan(0));

        Assert.That(() => server.Server.Simulations.OpenStreams, Is.Zero.After(60_000, 10));
        Assert.That(server.Server.Simulations.Turns.Count, Is.Zero);
        Assert.That(GC.GetTotalMemory(forceFullCollection: true) - kept, Is.LessThan(MostBytesKept));
        Assert.That(elsewhere.SelectMany(FilesOf), Is.EqualTo(before), "files that others see");
        foreach (var file in Directory.EnumerateFiles(server.Root, "*", SearchOption.AllDirectories))
            Assert.That(Path.GetDirectoryName(file), Is.EqualTo(Path.Combine(server.Output, "profiles")));

        static IEnumerable<string> FilesOf(string directory) =>
            Directory
                .EnumerateFiles(directory)
                .Select(file => FormattableString.Invariant($"{file} {File.GetLastWriteTimeUtc(file).Ticks}"))
                .Order(StringComparer.Ordinal);
    }

    // How many answers had which status.
    private static async Task<IReadOnlyDictionary<int, int>> SendAsync(HttpClient client, int first, int end)
    {
        int[] allowed = [200, 204, 400, 404, 409, 503];
        var answers = new ConcurrentDictionary<int, int>(allowed.Select(status => KeyValuePair.Create(status, 0)));
        await Parallel.ForEachAsync(
            Enumerable.Range(first, end - first),
            new ParallelOptions { MaxDegreeOfParallelism = Connections },
            async (number, cancellation) =>
            {
                using var content = new ByteArrayContent(Padded(number));
                content.Headers.ContentType = new("application/json");
                using var request = new HttpRequestMessage(HttpMethod.Post, PathOf(number)) { Content = content };
                // A stream of events is closed at once, which ends its simulation.
                using var answer = await client.SendAsync(
                    request,
                    HttpCompletionOption.ResponseHeadersRead,
                    cancellation
                );
                var status = (int)answer.StatusCode;
                Assert.That(allowed, Does.Contain(status), $"request {number}");
                answers.AddOrUpdate(status, 1, (_, count) => count + 1);
                if (status >= 400)
                    Assert.That(
                        JsonElement
                            .Parse(await answer.Content.ReadAsStringAsync(cancellation))
                            .GetProperty("reason")
                            .GetString(),
                        Is.Not.Empty,
                        $"request {number}"
                    );
            }
        );
        return answers;
    }

    // Spaces change nothing, but are seen if they are kept.
    private static byte[] Padded(int number) => [.. Enumerable.Repeat((byte)' ', PaddingBytes), .. Mutant(number)];

    private static string PathOf(int number) =>
        (number % 3) switch
        {
            0 => IsOfATopology(number) ? "/api/topologies" : "/api/clusters",
            1 => s_questions[number / 3 % s_questions.Length],
            _ => number % 30 == 2 ? "/api/stops" : "/api/profiles",
        };

    private static bool IsOfATopology(int number) => number % 6 == 3;

    // The text of a topology is broken within a request that is not.
    private static byte[] Mutant(int number) =>
        IsOfATopology(number)
            ? JsonSerializer.SerializeToUtf8Bytes(
                new { topology = Encoding.UTF8.GetString(Mutant(s_topology, RandomStream.For(Seed, (ulong)number))) }
            )
            : MutantQuestion(number);

    private static byte[] MutantQuestion(int number)
    {
        var text = (number % 3) switch
        {
            0 => s_cluster,
            1 => TestServer.Question(),
            _ => TestServer.Question()[TestServer.Question().IndexOf("\"profile\":", StringComparison.Ordinal)..][
                10..^5
            ],
        };
        return Mutant(text, RandomStream.For(Seed, (ulong)number));
    }

    private static byte[] Mutant(string text, RandomStream random)
    {
        var bytes = new List<byte>(Encoding.UTF8.GetBytes(text));
        for (var changes = 1 + random.NextInt(3); changes > 0 && bytes.Count > 0; changes--)
        {
            var at = random.NextInt(bytes.Count);
            switch (random.NextInt(4))
            {
                case 0:
                    bytes.RemoveRange(at, Math.Min(1 + random.NextInt(8), bytes.Count - at));
                    break;
                case 1:
                    bytes[at] = (byte)random.NextInt(256);
                    break;
                case 2:
                    bytes.InsertRange(at, Encoding.UTF8.GetBytes(s_pieces[random.NextInt(s_pieces.Length)]));
                    break;
                default:
                    bytes.RemoveRange(at, bytes.Count - at);
                    break;
            }
        }
        return [.. bytes];
    }
}
