using System.Globalization;

namespace MqttCheck.AcceptanceTests;

/// <summary>The processes of this machine, from /proc.</summary>
internal static class Processes
{
    /// <summary>The children of a process, and theirs.</summary>
    public static IReadOnlyList<int> DescendantsOf(int ancestor)
    {
        var parents = Directory
            .GetDirectories("/proc")
            .Select(directory =>
                int.TryParse(Path.GetFileName(directory), CultureInfo.InvariantCulture, out var id) ? id : 0
            )
            .Where(id => id > 0)
            .Select(id => (Id: id, Parent: ParentOf(id)))
            .ToLookup(process => process.Parent, process => process.Id);
        var found = new List<int>(parents[ancestor]);
        for (var i = 0; i < found.Count; i++)
            found.AddRange(parents[found[i]]);
        return found;
    }

    /// <summary>Waits until none of some processes runs; one that has ended but was not waited for does not.</summary>
    public static void WaitUntilGone(IReadOnlyList<int> ids) =>
        Assert.That(
            () => ids.Where(id => Status(id) is { State: not 'Z' }),
            Is.Empty.After(10).Seconds.PollEvery(20).MilliSeconds,
            "processes that were left behind"
        );

    private static int ParentOf(int id) => Status(id)?.Parent ?? -1;

    private static (char State, int Parent)? Status(int id)
    {
        try
        {
            // pid (name) state parent ...; the name may hold anything.
            var text = File.ReadAllText($"/proc/{id}/stat");
            var fields = text[(text.LastIndexOf(')') + 2)..].Split(' ');
            return (fields[0][0], int.Parse(fields[1], CultureInfo.InvariantCulture));
        }
        catch (IOException)
        {
            return null;
        }
    }
}
