namespace MqttCheck.AcceptanceTests.Documentation;

/// <summary>Whether the relative links of a page lead somewhere.</summary>
internal static class PageLinks
{
    /// <summary>The links of a page that lead nowhere, one sentence each.</summary>
    /// <param name="page">The page.</param>
    /// <param name="root">The directory that its name is relative to.</param>
    public static IEnumerable<string> Broken(Page page, string root)
    {
        foreach (var (line, target) in page.Links())
        {
            if (
                target.Contains("://", StringComparison.Ordinal)
                || target.StartsWith("mailto:", StringComparison.Ordinal)
            )
                continue;
            var where = $"{page.Name}:{line}: the link to '{target}'";
            var parts = target.Split('#', 2);
            var name =
                parts[0].Length == 0
                    ? page.Name
                    : Path.GetRelativePath(
                        root,
                        Path.GetFullPath(Path.Combine(root, Path.GetDirectoryName(page.Name) ?? "", parts[0]))
                    );
            var path = Path.Combine(root, name);
            var isPage = name.EndsWith(".md", StringComparison.Ordinal);
            if (parts[0].Length > 0 && !File.Exists(path) && !Directory.Exists(path))
                yield return $"{where} names no file";
            else if (parts.Length == 1)
                continue;
            else if (!isPage)
                yield return $"{where} has an anchor in a file that is no page";
            else if (
                !(name == page.Name ? page : Page.Parse(name, File.ReadAllText(path))).Anchors().Contains(parts[1])
            )
                yield return $"{where} names no heading of {name}";
        }
    }
}
