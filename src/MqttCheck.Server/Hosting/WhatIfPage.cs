using MqttCheck.Reports.Page;

namespace MqttCheck.Server.Hosting;

/// <summary>The page: markup of its own, the report's style and charts.</summary>
internal static class WhatIfPage
{
    private static readonly Lazy<string> s_html = new(() => Resource("what-if.html")),
        s_style = new(() => Viewer.Style + "\n" + Resource("what-if.css"));

    /// <summary>The markup.</summary>
    public static string Html => s_html.Value;

    /// <summary>The style sheet.</summary>
    public static string Style => s_style.Value;

    /// <summary>The script.</summary>
    public static string Script => Viewer.WhatIfScript;

    /// <summary>A file that this library brings along.</summary>
    internal static string Resource(string name)
    {
        using var stream = typeof(WhatIfPage).Assembly.GetManifestResourceStream(name)!;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd();
    }
}
