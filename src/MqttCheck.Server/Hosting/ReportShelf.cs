using System.Security.Cryptography;

namespace MqttCheck.Server.Hosting;

/// <summary>The reports that verifications have written, by names that say nothing of paths.</summary>
internal sealed class ReportShelf
{
    private const int Most = 100;
    private const int NameBytes = 8;

    private readonly Lock _gate = new();
    private readonly List<(string Name, string File)> _reports = [];

    /// <summary>Puts a report there; of many the oldest goes.</summary>
    /// <returns>Its path on this server.</returns>
    public string Add(string file)
    {
        var name = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(NameBytes));
        lock (_gate)
        {
            _reports.Add((name, Path.GetFullPath(file)));
            if (_reports.Count > Most)
                _reports.RemoveAt(0);
        }
        return "/reports/" + name;
    }

    /// <summary>The file of a name; null where there is none.</summary>
    public string? Find(string name)
    {
        lock (_gate)
            return _reports.Find(report => report.Name == name).File;
    }
}
