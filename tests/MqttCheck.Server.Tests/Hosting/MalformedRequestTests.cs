using System.Text;
using MqttCheck.Server.Questions;
using MqttCheck.Statistics;

namespace MqttCheck.Server.Tests.Hosting;

/// <summary>
/// Malformed JSON of any shape: 10 000 mutations of good requests by a fixed seed. Each is read, or refused with a
/// reason; nothing else may come out of the readers. Some go through the server as well.
/// </summary>
[TestFixture]
internal sealed class MalformedRequestTests
{
    private const int Requests = 10_000;
    private const int Served = 300;
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

    private static readonly string s_cluster =
        """{ "session": "c", "request": 1, "family": "mesh:4", "faults": ["kill n1 at 5s for 3s"], "properties": ["E[ lost ]"], "vary": "link(n1,n2).delay=10..80ms:3" }""";

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
                if (number % 3 == 0)
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
    public async Task Through_the_server_they_get_an_answer_and_leave_nothing_behind()
    {
        await using var server = await TestServer.StartAsync();
        using var client = server.Client();
        for (var number = 0; number < Served; number++)
        {
            using var content = new ByteArrayContent(Mutant(number));
            content.Headers.ContentType = new("application/json");
            using var answer = await client.PostAsync(
                number % 3 == 2 ? "/api/profiles"
                    : number % 3 == 0 ? "/api/verification-plans"
                    : "/api/commands",
                content
            );
            Assert.That((int)answer.StatusCode, Is.AnyOf(200, 400, 404), $"request {number}");
        }
        Assert.That(server.Server.Simulations.OpenStreams, Is.Zero);
        Assert.That(server.Server.Simulations.Turns.Count, Is.Zero);
        foreach (var file in Directory.EnumerateFiles(server.Output, "*", SearchOption.AllDirectories))
            Assert.That(Path.GetFileName(Path.GetDirectoryName(file)), Is.EqualTo("profiles"));
    }

    private static byte[] Mutant(int number)
    {
        var random = RandomStream.For(Seed, (ulong)number);
        var text = (number % 3) switch
        {
            0 => s_cluster,
            1 => TestServer.Question(),
            _ => TestServer.Question()[TestServer.Question().IndexOf("\"profile\":", StringComparison.Ordinal)..][
                10..^5
            ],
        };
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
